import CommandKit
import PortalSurvey
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The common options of all commands that probe.
struct ProbingOptions: Sendable {
  /// Rules that replace hosts and ports; they precede those of a file.
  var connectTo: [ConnectTo] = []
  /// A PEM file of trusted authorities, which replaces the pipeline's.
  var authorities: String?
  /// The captive-portal API that the network announces (RFC 8910), for pipelines that use it; nil for none.
  var announcedCapport: String?
  /// The question that replaces that of the pipelines; nil to keep theirs.
  var question: Question?
  /// Whether degraded services count as success.
  var treatsDegradedAsSuccess = false
  /// Values for variables of pipelines, by name.
  var values: [String: String] = [:]
  /// The folders, in addition to that of a pipeline, whose files it may send as secrets.
  var secretFolders: [String] = []
  /// Whether pipelines may start programs.
  var allowsPrograms = false
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
  ///   - isLate: Whether the setting is applied after those of other options, regardless of their order.
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

  /// The errors in the options that select an address family: only one of them can be used.
  static func familyMistakes(_ options: some Sequence<String>) -> [InvalidInput] {
    let given = Set(options).intersection(["--family", "-4", "-6"]).sorted()
    guard given.count > 1 else { return [] }
    return [
      InvalidInput("\(given.joined(separator: " and ")) cannot be combined", remedy: "keep one of them")
    ]
  }

  func apply(to pipeline: inout Pipeline) {
    pipeline.overrides += overrides
    if probesAll { pipeline.stopsEarly = false }
    if let question { pipeline.question = question }
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
      help:
        "the captive-portal API that the network announces (RFC 8910), for pipelines with capport: announced"
    ) {
      guard !$1.isEmpty else {
        throw InvalidInput("the URL is empty", remedy: "give the URL, or omit the option")
      }
      $0[keyPath: path].announcedCapport = $1
    }
  }

  /// The question that the verdict decides.
  static func question(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable, default: String)
    -> OptionSpec
  {
    .option(
      "--question", value: "internet|services", takes: .oneOf(Question.allCases.map(\.rawValue)),
      help: "what the verdict is about: Internet access, or the health of the probed services",
      default: `default`
    ) {
      guard let question = Question(rawValue: $1) else {
        throw InvalidInput("\(Excerpt($1)) is not a question", remedy: "use internet or services")
      }
      $0[keyPath: path].question = question
    }
  }

  /// The verdicts about services that count as failures.
  static func failOn(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--fail-on", value: "degraded|unhealthy", takes: .oneOf(["degraded", "unhealthy"]),
      help: "the mildest verdict about services that causes exit code 1", default: "degraded"
    ) {
      guard ["degraded", "unhealthy"].contains($1) else {
        throw InvalidInput("\(Excerpt($1)) is not a verdict to fail on", remedy: "use degraded or unhealthy")
      }
      $0[keyPath: path].treatsDegradedAsSuccess = $1 == "unhealthy"
    }
  }

  /// Whether to run all probes.
  static func all(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--all", help: "run all probes, including those that can no longer affect the verdict") {
      $0[keyPath: path].probesAll = true
    }
  }

  /// Rules that replace hosts and ports.
  static func connectTo(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--connect-to", value: "HOST:PORT:ADDR:PORT",
      help:
        "for this host and port, connect to ADDR:PORT instead; empty parts match any; precedes the rules of a file",
      repeats: true
    ) { $0[keyPath: path].connectTo.append(try ConnectTo($1)) }
  }

  static func authorities(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--cacert", value: "FILE", takes: .file,
      help:
        "a PEM file of certificate authorities to trust in addition to the system's; replaces that of a file"
    ) { $0[keyPath: path].authorities = $1 }
  }

  /// The outgoing interface or source address.
  static func source(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option("--interface", value: "NAME|ADDRESS", help: "outgoing interface or source address") {
      let source = try ProbeSource($1)
      $0[keyPath: path].override("--interface") { request, _ in request.source = source }
    }
  }

  /// The DNS server that looks up names.
  static func resolver(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--resolver", value: "ADDRESS",
      help:
        "look up every name at this DNS server alone: an address with an optional port, IPv6 in brackets with one"
    ) {
      let server = try SocketAddress(resolver: $1)
      $0[keyPath: path].override("--resolver") { request, _ in request.resolver = server }
    }
  }

  /// Values for variables.
  static func values(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .values { $0[keyPath: path].values[$1] = $2 }
  }

  /// Folders whose files may be sent.
  static func secrets(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .option(
      "--secrets", value: "DIR", takes: .folder,
      help:
        "a folder whose files a pipeline may send in header fields, queries, bodies and dialogs, in addition to those "
        + "in the folder of the pipeline",
      repeats: true
    ) {
      guard !$1.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a folder") }
      $0[keyPath: path].secretFolders.append($1)
    }
  }

  /// The timeout of each probe.
  static func timeout(
    _ path: any WritableKeyPath<Options, ProbingOptions> & Sendable, default: String
  ) -> OptionSpec {
    .timeout(default: `default`) { options, timeout in
      options[keyPath: path].override("--timeout") { request, _ in request.timeout = timeout }
    }
  }

  /// The timeout of each probe; as with curl's `-m`, a number without a unit is in seconds.
  static func timeout(
    default: String, _ apply: @escaping @Sendable (inout Options, Duration) -> Void
  ) -> OptionSpec {
    .option(
      "--timeout", short: "-m", value: "DURATION",
      help: "the maximum time for one probe, such as 800ms or 5s, or a number of seconds", default: `default`
    ) { options, text in
      let isNumber = text.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
      apply(
        &options,
        try ValueSyntax.duration(isNumber ? text + "s" : text, in: .milliseconds(1) ... .seconds(3600)))
    }.also("--max-time")
  }

  /// The maximum number of redirects to follow: a number, or as many as curl follows.
  ///
  /// - Parameters:
  ///   - default: The default, for the help text.
  ///   - judging: An addition to the help text about judging the last response.
  ///   - apply: Stores the number and the option that set it.
  /// - Returns: The options.
  static func redirects(
    default: String, judging: String = "",
    _ apply: @escaping @Sendable (inout Options, Int, String) -> Void
  ) -> [OptionSpec] {
    [
      .option(
        "--redirects", value: "N", help: "the maximum number of redirects to follow", default: `default`
      ) {
        apply(&$0, try wholeNumber($1, in: 0...50), "--redirects")
      }.also("--max-redirs"),
      .flag(
        "--location", short: "-L",
        help:
          "follow redirects: up to 50, or as many as --redirects says" + judging
      ) {
        apply(&$0, 50, "--location")
      },
    ]
  }

  /// The options that select an IP version; see ``ProbingOptions/familyMistakes(_:)``.
  ///
  /// - Parameter apply: Stores the family and the option that set it.
  /// - Returns: The options.
  static func family(_ apply: @escaping @Sendable (inout Options, IPFamily, String) -> Void) -> [OptionSpec] {
    [
      .option(
        "--family", value: "v4|v6", takes: .oneOf(["v4", "v6"]),
        help: "use only this version of the Internet protocol", default: "either"
      ) {
        guard let family = IPFamily(rawValue: $1) else {
          throw InvalidInput("\(Excerpt($1)) is not an address family", remedy: "use v4 or v6")
        }
        apply(&$0, family, "--family")
      },
      .flag("--ipv4", short: "-4", help: "the same as --family v4") { apply(&$0, .v4, "-4") },
      .flag("--ipv6", short: "-6", help: "the same as --family v6") { apply(&$0, .v6, "-6") },
    ]
  }

  static func userAgent(
    help: String = "the User-Agent field to send",
    _ apply: @escaping @Sendable (inout Options, String) -> Void
  ) -> OptionSpec {
    .option("--user-agent", short: "-A", value: "TEXT", help: help) { apply(&$0, $1) }
  }

  /// The file of the report.
  static func output(
    _ path: any WritableKeyPath<Options, ProbingOptions> & Sendable, _ name: String = "--output",
    short: String? = "-o",
    help: String = "write the report to this file, which is replaced only when complete"
  ) -> OptionSpec {
    .option(name, short: short, value: "FILE", takes: .file, help: help) { options, file in
      guard !file.isEmpty else { throw InvalidInput("the path is empty", remedy: "name a file") }
      options[keyPath: path].outputFile = file
    }
  }

  /// Prints each exchange to standard error.
  static func verbose(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--verbose", short: "-v", help: "show the details of each exchange on standard error") {
      $0[keyPath: path].isVerbose = true
    }
  }
}

extension OptionSpec {
  /// Values for the variables of pipeline files.
  ///
  /// - Parameter set: Sets the value of a variable.
  /// - Returns: The option.
  static func values(
    _ set: @escaping @Sendable (inout Options, _ name: String, _ value: String) -> Void
  ) -> OptionSpec {
    .option(
      "--set", value: "NAME=TEXT",
      help: "the value of a variable, in place of the one in vars of the pipeline; not for secrets",
      repeats: true
    ) { options, text in
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else {
        throw InvalidInput("\(Excerpt(text)) has no name and value", remedy: "write it as NAME=TEXT")
      }
      let value = text[text.index(after: sign)...]
      guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw InvalidInput(
          "the value has a control character or a line end in it", remedy: "give it in one line")
      }
      set(&options, String(text[..<sign]), String(value))
    }
  }
}

extension ProbingOptions {
  /// An error for each value whose variable no pipeline uses.
  ///
  /// - Parameter names: The variables of the pipelines.
  /// - Returns: The errors.
  func unusedValues(_ names: [String]) -> [SourceFinding] {
    Self.unusedValues(values, names)
  }

  /// An error for each of these values whose variable no pipeline uses.
  static func unusedValues(_ values: [String: String], _ names: [String]) -> [SourceFinding] {
    values.keys.sorted().filter { !names.contains($0) }.map { name in
      let nearest = nearestName(to: name, among: names).map { "did you mean \($0)?" }
      return SourceFinding(
        argument: "--set",
        InvalidInput(
          "no pipeline has a variable \(Excerpt(name))",
          remedy: nearest ?? "declare it in vars of the pipeline"))
    }
  }
}

extension ProbingOptions {
  /// What else to ask the network of this machine; nil if these options replace it.
  ///
  /// - Parameters:
  ///   - plugins: The plugins to probe with.
  ///   - clock: The clock of the run.
  /// - Returns: The pipeline.
  func conditions(over plugins: PluginRegistry, clock: any Clock<Duration>) -> NetworkConditions? {
    guard connectTo.isEmpty, !given.contains("--proxy") else { return nil }
    let source = overrides.filter {
      ["--interface", "--family", "-4", "-6", "--resolver", "--timeout"].contains($0.key)
    }
    return try? NetworkConditions(plugins, clock: clock, hasRoute: NetworkState.hasRoute) {
      $0.overrides += source
    }
  }
}
