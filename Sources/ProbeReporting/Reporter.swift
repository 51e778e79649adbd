public import ProbePipeline

/// Tells of runs in one form.
///
/// A reporter is told what happens and answers with what to write next; it writes nothing itself. What must be
/// seen at once it gives when a probe or a run has finished, everything else when all of them have.
public protocol Reporter: Sendable {
  /// Whether it may have something to say of a probe as soon as it has finished; a run is cheaper where nobody has.
  var reportsProbes: Bool { get }

  /// What to write as soon as a probe has finished.
  ///
  /// - Parameters:
  ///   - probe: What came of it.
  ///   - set: The name of its set.
  ///   - pipeline: The name of its pipeline.
  /// - Returns: Whole lines, or nothing.
  /// - Throws: When the form cannot hold it: a mistake of the reporter's.
  func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String

  /// What to write as soon as a run has finished, whatever became of the others.
  func text(ofFinished run: ReportedRun) throws -> String

  /// What to write when all runs have finished.
  ///
  /// - Parameter runs: Every run, in the order they were asked for.
  /// - Returns: Whole lines, or nothing.
  /// - Throws: When the form cannot hold it: a mistake of the reporter's.
  func text(of runs: [ReportedRun]) throws -> String
}

extension Reporter {
  /// What to write of runs that have all finished, with what is said of each as soon as it has.
  package func text(ofAll runs: [ReportedRun]) throws -> String {
    try runs.map { try text(ofFinished: $0) }.joined() + text(of: runs)
  }

  /// True.
  public var reportsProbes: Bool { true }

  /// Nothing: most forms tell of a probe with its run.
  public func text(of probe: ProbeResult, in set: String, of pipeline: String) throws -> String { "" }

  /// Nothing: most forms tell of a run with the others.
  public func text(ofFinished run: ReportedRun) throws -> String { "" }
}

/// A run with where its pipeline came from.
public struct ReportedRun: Sendable {
  /// What the user called the pipeline by, such as the name of its file; safe to print once escaped.
  public var source: String
  /// What came of it.
  public var result: RunResult
  /// In what it differs from what was expected of it; nil when nothing but `online` is.
  public var mismatches: [String]?

  /// A run.
  public init(source: String, _ result: RunResult, mismatches: [String]? = nil) {
    self.source = source
    self.result = result
    self.mismatches = mismatches
  }

  /// Whether the verdict is the expected one.
  var isExpected: Bool { mismatches?.isEmpty ?? (result.verdict == .online) }

  /// The sets whose probes are tests: none where the verdict is compared, for then it alone is.
  var testedSets: [SetResult] { mismatches == nil ? result.sets : [] }

  /// The name of the pipeline, and of what was asked where that tells runs apart.
  var name: String { mismatches == nil ? result.pipeline : "\(source): \(result.pipeline)" }

  /// What the verdict is in words, and in what it is not the expected one.
  var message: String {
    ([result.verdictInWords] + (mismatches ?? [])).joined(separator: "; ")
  }
}

/// A form of reports, by its name on the command line.
///
/// A new form is a file with its ``Reporter`` and its name, and a word in ``all``.
public struct ReportFormat: Sendable {
  /// How the reader of a report wants it.
  public struct Style: Hashable, Sendable {
    /// Whether a text for a person is coloured.
    public var usesColor: Bool
    /// Whether a text for a person is written in ASCII alone.
    public var usesASCII: Bool

    /// A style.
    public init(usesColor: Bool = false, usesASCII: Bool = false) {
      self.usesColor = usesColor
      self.usesASCII = usesASCII
    }
  }

  /// The name, a word in lower case.
  public let name: String
  /// What it is good for, in a few words.
  public let summary: String
  private let make: @Sendable (Style) -> any Reporter

  /// A form.
  ///
  /// - Parameters:
  ///   - name: The name, a word in lower case.
  ///   - summary: What it is good for, in a few words.
  ///   - make: Makes its reporter.
  public init(_ name: String, _ summary: String, make: @escaping @Sendable (Style) -> any Reporter) {
    self.name = name
    self.summary = summary
    self.make = make
  }

  /// A reporter of this form.
  public func reporter(_ style: Style = Style()) -> any Reporter {
    make(style)
  }
}

extension ReportFormat {
  /// Every form, the one for a person first.
  public static let all: [ReportFormat] = [text, json, ndjson, junit, tap, prometheus]

  /// The form of this name, or nil when there is none.
  public static func named(_ name: String) -> ReportFormat? {
    all.first { $0.name == name }
  }
}
