import ProbeCore
import ProbePipeline

/// What the command lines of all commands that probe can say.
struct ProbingOptions: Sendable {
  /// Where to connect to instead; these rules come before those of a file.
  var connectTo: [ConnectTo] = []
  /// A PEM file of authorities to trust, in place of those that a file names.
  var authorities: String?
  /// What the network announces as its captive-portal API (RFC 8910), for pipelines that ask it; nil for nothing.
  var announcedCapport: String?
  /// Whether probes that cannot change the verdict are carried out too.
  var probesAll = false
  /// Whether to show what happened on the wire.
  var isVerbose = false
  /// Where the report goes, or nil for standard output.
  var outputFile: String?
  private var settings: [RequestSetting] = []
  private var lateSettings: [RequestSetting] = []

  /// Notes what an option says of every request.
  ///
  /// - Parameters:
  ///   - option: The option, for what is wrong with it.
  ///   - isLate: Whether it adds to what another option says, wherever the two stand.
  ///   - change: Changes a request; throws what cannot be done in the context, such as reading a secret.
  mutating func override(
    _ option: String, late isLate: Bool = false,
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    let setting = RequestSetting(option, change)
    if isLate { lateSettings.append(setting) } else { settings.append(setting) }
  }

  /// The options that say something of every request.
  var given: Set<String> { Set(overrides.compactMap(\.key)) }

  /// What holds for every request, each setting under the name of its option.
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

  /// Gives a pipeline what the command line says of its runs.
  func apply(to pipeline: inout Pipeline) {
    pipeline.overrides += overrides
    if probesAll { pipeline.stopsEarly = false }
  }
}

extension RequestSetting {
  /// A setting that is known by the name of an option.
  fileprivate init(
    _ option: String,
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.init(change)
    key = option
  }
}

/// The options that the commands that probe have in common.
extension OptionSpec {
  /// What the network announces.
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

  /// Whether probes are carried out that the verdict does not need.
  static func all(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--all", help: "carry out probes that the verdict does not need, too") {
      $0[keyPath: path].probesAll = true
    }
  }

  /// Where to connect to.
  static func connectTo(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--connect-to", value: "HOST:PORT:ADDR:PORT",
      help:
        "connect to ADDR:PORT for this host and port, before any rule of a file; empty parts stand for any",
      repeats: true
    ) { $0[keyPath: path].connectTo.append(try ConnectTo($1)) }
  }

  /// Whom to trust.
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

  /// The file of the report.
  static func output(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--output", short: "-o", value: "FILE",
      help: "write the report to this file, which appears whole or not at all"
    ) { options, file in
      guard !file.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
      options[keyPath: path].outputFile = file
    }
  }

  /// What happened on the wire.
  static func verbose(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--verbose", short: "-v", help: "show what happened on the wire, on standard error") {
      $0[keyPath: path].isVerbose = true
    }
  }
}
