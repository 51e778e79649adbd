import CommandKit
import EngineProfiles
import PortalSurvey
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The common options of all commands that probe.
struct ProbingOptions: Sendable {
  /// The settings of every request.
  var settings = GivenSettings()
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
  /// Whether to print the settings of the probes instead of running them.
  var explains = false
  /// Whether to run probes that cannot change the verdict.
  var probesAll = false
  /// Whether to print each exchange to standard error.
  var isVerbose = false
  /// The file of the report, or nil for standard output.
  var outputFile: String?

  /// The errors in combinations of these options.
  var mistakes: [InvalidInput] {
    settings.mistakes
      + .when(
        explains && outputFile != nil, "--explain and --output cannot be combined",
        remedy: "redirect standard output")
  }

  /// Applies them to a pipeline.
  func apply(to pipeline: inout Pipeline) {
    pipeline.overrides += settings.settings
    if probesAll { pipeline.stopsEarly = false }
    if let question { pipeline.question = question }
  }
}

/// Options of a command that probes.
protocol ProbingCommandOptions: Sendable {
  var probing: ProbingOptions { get set }
}

/// The specifications of the common options.
extension OptionSpec where Options: ProbingCommandOptions {
  /// The announced captive-portal API, and what it is for.
  static func announcedCapport(_ use: String = "for pipelines with capport: announced") -> OptionSpec {
    .option(
      "--capport", value: "URL",
      help: "the captive-portal API that the network announces (RFC 8910), \(use)"
    ) {
      guard !$1.isEmpty else {
        throw InvalidInput("the URL is empty", remedy: "give the URL, or omit the option")
      }
      $0.probing.announcedCapport = $1
    }
  }

  /// The question that the verdict decides.
  static func question(default: String) -> OptionSpec {
    .choice(
      "--question", of: Question.allCases.map(\.rawValue), called: "a question",
      help: "what the verdict is about: Internet access, or the health of the probed services",
      default: `default`
    ) { $0.probing.question = Question(rawValue: $1) }
  }

  /// The verdicts about services that count as failures.
  static var failOn: OptionSpec {
    .choice(
      "--fail-on", of: ["degraded", "unhealthy"], called: "a verdict to fail on",
      help: "the mildest verdict about services that causes exit code 1", default: "degraded"
    ) { $0.probing.treatsDegradedAsSuccess = $1 == "unhealthy" }
  }

  /// Prints the settings of the probes.
  static var explain: OptionSpec {
    .flag(
      "--explain", \.probing.explains,
      help: "print the settings of each probe, each with its origin, and probe nothing")
  }

  /// Whether to run all probes.
  static var all: OptionSpec {
    .flag(
      "--all", \.probing.probesAll,
      help: "run all probes, including those that can no longer affect the verdict")
  }

  /// Values for the variables of pipeline files.
  static var values: OptionSpec {
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
      options.probing.values[String(text[..<sign])] = String(value)
    }
  }

  /// Folders whose files may be sent.
  static var secrets: OptionSpec {
    .option(
      "--secrets", value: "DIR", takes: .folder,
      help:
        "a folder whose files a pipeline may send in header fields, queries, bodies and dialogs, in addition to those "
        + "in the folder of the pipeline",
      repeats: true
    ) { $0.probing.secretFolders.append(try ValueKind.folder.path($1)) }
  }

  /// The file of the report.
  static func output(
    _ name: String = "--output", short: String? = "-o",
    help: String = "write the report to this file, which is replaced only when complete"
  ) -> OptionSpec {
    .path(name, \.probing.outputFile, short: short, help: help)
  }

  /// Prints each exchange to standard error.
  static var verbose: OptionSpec {
    .flag(
      "--verbose", \.probing.isVerbose, short: "-v",
      help: "show the details of each exchange on standard error")
  }
}

extension OptionSpec {
  /// The built-in profile to probe with.
  static func profile(_ property: any WritableKeyPath<Options, EngineProfile?> & Sendable) -> OptionSpec {
    .option(
      "--profile", value: "NAME", takes: .oneOf(EngineProfile.names),
      help: "probe as this profile does; see probekit profiles", default: "default"
    ) { $0[keyPath: property] = try .find($1) }
  }

  /// Whether unencrypted URLs may be probed.
  static func allowHTTP(_ property: any WritableKeyPath<Options, Bool> & Sendable) -> OptionSpec {
    .flag("--allow-http", property, help: "allow URLs that are not encrypted")
  }
}

extension ProbingOptions {
  /// An error for each value whose variable no pipeline uses.
  ///
  /// - Parameter names: The variables of the pipelines.
  /// - Returns: The errors.
  func unusedValues(_ names: [String]) -> [SourceFinding] {
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
    guard !settings.gives(RequestKey.connectTo), !settings.gives(RequestKey.proxy) else { return nil }
    let source = settings.settings.filter {
      [RequestKey.interface, .family, .resolver, .timeout].map(\.name).contains($0.key)
    }
    return try? NetworkConditions(plugins, clock: clock, hasRoute: NetworkState.hasRoute) {
      $0.overrides += source
    }
  }
}
