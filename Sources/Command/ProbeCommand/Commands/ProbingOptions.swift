import CommandKit
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
  func apply(to pipeline: inout Pipeline) {
    pipeline.overrides += settings.settings
    if probesAll { pipeline.stopsEarly = false }
    if let question { pipeline.question = question }
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

  /// Prints the settings of the probes.
  static func explain(_ path: any WritableKeyPath<Options, Bool> & Sendable) -> OptionSpec {
    .flag(
      "--explain",
      help: "print the settings of each probe, each with its origin, and probe nothing"
    ) { $0[keyPath: path] = true }
  }

  /// Whether to run all probes.
  static func all(_ path: any WritableKeyPath<Options, ProbingOptions> & Sendable) -> OptionSpec {
    .flag("--all", help: "run all probes, including those that can no longer affect the verdict") {
      $0[keyPath: path].probesAll = true
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
    guard settings.names.isDisjoint(with: ["--connect-to", "--proxy"]) else { return nil }
    let source = settings.settings.filter {
      ["interface", "family", "resolver", "timeout"].contains($0.key)
    }
    return try? NetworkConditions(plugins, clock: clock, hasRoute: NetworkState.hasRoute) {
      $0.overrides += source
    }
  }
}
