internal import ProbeCore
public import ProbePipeline

/// Reports runs in one format.
///
/// A reporter receives events and returns the text to write; it does not write anything itself. It returns
/// urgent text when a probe or a run has finished, and everything else when all runs have finished.
public protocol Reporter: Sendable {
  /// Whether it may return text for a finished probe; a run is faster if it does not.
  var reportsProbes: Bool { get }

  /// Returns the text to write when a probe has finished.
  ///
  /// - Parameters:
  ///   - probe: The result of the probe.
  ///   - set: The name of its set.
  ///   - pipeline: The name of its pipeline.
  /// - Returns: Complete lines, or an empty text.
  /// - Throws: An error if the format cannot represent the result, which is a bug in the reporter.
  func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String

  /// Returns the text to write when a run has finished, independent of other runs.
  func text(ofFinished run: ReportedRun) throws -> String

  /// Returns the text to write when all runs have finished.
  ///
  /// - Parameter runs: All runs, in the requested order.
  /// - Returns: Complete lines, or an empty text.
  /// - Throws: An error if the format cannot represent the results, which is a bug in the reporter.
  func text(of runs: [ReportedRun]) throws -> String
}

extension Reporter {
  /// Returns the complete text for runs that have all finished.
  package func text(ofAll runs: [ReportedRun]) throws -> String {
    try runs.map { try text(ofFinished: $0) }.joined() + text(of: runs)
  }

  /// By default, true.
  public var reportsProbes: Bool { true }

  /// By default, empty: most formats report a probe together with its run.
  public func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String { "" }

  /// By default, empty: most formats report all runs together.
  public func text(ofFinished run: ReportedRun) throws -> String { "" }
}

/// A run and the source of its pipeline.
public struct ReportedRun: Sendable {
  /// The user's name for the pipeline, such as its file name; it must be escaped before it is printed.
  public var source: String
  /// The result of the run.
  public var result: RunResult
  /// The differences from the expected result; nil if none was specified, and `online` or `healthy` is expected.
  public var mismatches: [String]?

  /// Creates a run.
  public init(source: String, _ result: RunResult, mismatches: [String]? = nil) {
    self.source = source
    self.result = result
    self.mismatches = mismatches
  }

  var isExpected: Bool { mismatches?.isEmpty ?? [.online, .healthy].contains(result.verdict) }

  /// The sets whose probes are tests; empty if the result is compared with an expected one, which is then the
  /// only test.
  var testedSets: [SetResult] { mismatches == nil ? result.sets : [] }

  /// The name of the pipeline, with the source if that distinguishes the runs.
  var name: String { mismatches == nil ? result.pipeline : "\(source): \(result.pipeline)" }

  /// The verdict in words, and the differences from the expected one.
  var message: String {
    ([result.verdictDescription] + (mismatches ?? [])).joined(separator: "; ")
  }
}

/// A report format, by its name on the command line.
///
/// To add a format, write a file with its ``Reporter`` and its name, and add it to ``all``.
public struct ReportFormat: Sendable {
  /// Preferences for the appearance of a report.
  public struct Style: Hashable, Sendable {
    /// Whether text for a person is coloured.
    public var usesColor: Bool
    /// Whether a text for a person is written in ASCII alone.
    public var usesASCII: Bool

    /// Creates a style.
    public init(usesColor: Bool = false, usesASCII: Bool = false) {
      self.usesColor = usesColor
      self.usesASCII = usesASCII
    }
  }

  /// The name, a lower-case word.
  public let name: String
  /// The purpose, in a few words.
  public let summary: String
  private let make: @Sendable (Style) -> any Reporter

  /// Creates a format.
  ///
  /// - Parameters:
  ///   - name: The name, a lower-case word.
  ///   - summary: The purpose, in a few words.
  ///   - make: Makes a reporter.
  public init(_ name: String, _ summary: String, make: @escaping @Sendable (Style) -> any Reporter) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// Makes a reporter for this format.
  public func reporter(_ style: Style = Style()) -> any Reporter {
    make(style)
  }
}

extension ReportFormat {
  /// Every format, starting with the one for a person.
  public static let all: [ReportFormat] = [text, json, ndjson, junit, tap, prometheus]

  /// The format with this name, or nil if there is none.
  public static func named(_ name: String) -> ReportFormat? {
    all.first { $0.name == name }
  }
}

/// Numbers names that occur more than once.
struct OccurrenceCounter {
  /// For each name, the number of its occurrence from 1, or nil if the name is unique.
  let numbers: [Int?]

  init(_ given: [String]) {
    // Compare escaped names, because different names may be equal after escaping.
    let names = given.map(\.escapedForDisplay)
    let counts = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var seen: [String: Int] = [:]
    numbers = names.map { name in
      guard counts[name, default: 0] > 1 else { return nil }
      seen[name, default: 0] += 1
      return seen[name]
    }
  }
}
