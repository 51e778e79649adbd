import ProbeCore
import ProbePipeline

/// The common options of all commands that probe.
struct ProbingOptions: Sendable {
  /// Rules that replace hosts and ports; they precede those of a file.
  var connectTo: [ConnectTo] = []
  /// A PEM file of trusted authorities, which replaces the pipeline's.
  var authorities: String?
  /// The captive-portal API that the network announces (RFC 8910), for pipelines that use it; nil for none.
  var announcedCapport: String?
  /// Whether to run probes that cannot change the verdict.
  var probesAll = false
  /// Whether to print each exchange to standard error.
  var isVerbose = false
  /// The file of the report, or nil for standard output.
  var outputFile: String?
  private var settings: [RequestSetting] = []
  private var lateSettings: [RequestSetting] = []

  /// Adds a setting for every request.
  ///
  /// - Parameters:
  ///   - option: The option, for messages.
  ///   - isLate: Whether it completes the setting of another option, whatever their order.
  ///   - change: Changes a request; throws if the context lacks something, such as a secret.
  mutating func override(
    _ option: String, late isLate: Bool = false,
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    let setting = RequestSetting(option, change)
    if isLate { lateSettings.append(setting) } else { settings.append(setting) }
  }

  /// The names of the given options that change requests.
  var given: Set<String> { Set(overrides.compactMap(\.key)) }

  /// The settings for every request, each with its option's name as the key.
  var overrides: [RequestSetting] {
    var all = settings + lateSettings
    if !connectTo.isEmpty {
      all.append(
        RequestSetting("--connect-to") { [connectTo] request, _ in
          request.connectTo = connectTo + request.connectTo
        })
    }
    if let authorities {
      all.append(RequestSetting("--cacert") { request, _ in request.tls.additionalAuthorities = authorities })
    }
    return all
  }

  /// Applies the options to a pipeline.
  func apply(to pipeline: inout Pipeline) {
    pipeline.overrides += overrides
    if probesAll { pipeline.stopsEarly = false }
  }
}

extension RequestSetting {
  /// A setting with an option's name as its key.
  fileprivate init(
    _ option: String,
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.init(change)
    key = option
  }
}

/// The specifications of these options.
extension OptionSpec {
  /// The announced captive-portal API.
  static func announcedCapport(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec
  {
    .option(
      "--capport", value: "URL",
      help: "what the network announces as its captive-portal API, for pipelines with capport: announced"
    ) {
      guard !$1.isEmpty else {
        throw InvalidInput("the URL is empty", remedy: "give the URL, or leave it out")
      }
      $0[keyPath: path].announcedCapport = $1
    }
  }

  /// Whether all probes run.
  static func all(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--all", help: "carry out probes that the verdict does not need, too") {
      $0[keyPath: path].probesAll = true
    }
  }

  /// Rules that replace hosts and ports.
  static func connectTo(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--connect-to", value: "HOST:PORT:ADDR:PORT",
      help:
        "connect to ADDR:PORT for this host and port, before any rule of a file; empty parts stand for any",
      repeats: true
    ) { $0[keyPath: path].connectTo.append(try ConnectTo($1)) }
  }

  /// Trusted authorities.
  static func authorities(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--cacert", value: "FILE",
      help: "a PEM file of authorities to trust besides the machine's own, in place of any that a file names"
    ) { $0[keyPath: path].authorities = $1 }
  }

  /// The time for one probe.
  static func timeout(
    _ path: any WritableKeyPath<Options, ProbingOptions> & Sendable, default: String
  ) -> OptionSpec {
    .option(
      "--timeout", value: "DURATION", help: "the time for one probe, such as 800ms or 5s", default: `default`
    ) {
      let timeout = try ValueSyntax.duration($1, in: .milliseconds(1) ... .seconds(3600))
      $0[keyPath: path].override("--timeout") { request, _ in request.timeout = timeout }
    }
  }

  /// The file for the report.
  static func output(
    _ path: any WritableKeyPath<Options, ProbingOptions> & Sendable, _ name: String = "--output",
    short: String? = "-o", help: String = "write the report to this file, which appears whole or not at all"
  ) -> OptionSpec {
    .option(name, short: short, value: "FILE", help: help) { options, file in
      guard !file.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
      options[keyPath: path].outputFile = file
    }
  }

  /// Prints each exchange to standard error.
  static func verbose(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--verbose", short: "-v", help: "show what happened on the wire, on standard error") {
      $0[keyPath: path].isVerbose = true
    }
  }
}
