import FixtureReplay
import ProbePipeline

/// The content of a narrow cell: a letter for the verdict, and a mark if it is not as expected.
struct VerdictMark {
  /// The letter for a missing result.
  static let missing = "-"
  /// The meanings of the marks, in the order of the legend.
  static let meanings: [(mark: String, meaning: String)] = [
    (mark(.otherVerdict), "not the expected verdict"),
    (mark(.otherLoginURL), "the expected verdict, but not the expected login URL"),
  ]

  /// The verdict's letter.
  let letter: String
  /// The mark after the letter, or an empty string.
  let mark: String

  /// Creates the mark of a result.
  init(_ run: VerifiedRun, in row: VerdictMatrix.Row) {
    letter = run.verdict.letter
    mark = Self.mark(row.judgement(of: run))
  }

  private static func mark(_ judgement: CellJudgement) -> String {
    switch judgement {
    case .asExpected, .notJudged: ""
    case .otherLoginURL: "*"
    case .otherVerdict: "!"
    }
  }
}

extension Verdict {
  /// The letter for the verdict in a matrix.
  package var letter: String {
    switch self {
    case .online: "O"
    case .captivePortal: "P"
    case .intercepted: "I"
    case .partial: "~"
    case .offline: "X"
    case .inconclusive: "?"
    case .healthy: "H"
    case .degraded: "D"
    case .unhealthy: "U"
    }
  }
}

extension VerdictMatrix.Row {
  /// The letters of the expected verdicts, or the letter for a missing one.
  var expectedLetters: String {
    expectation.map { $0.verdicts.map(\.letter).joined(separator: "/") } ?? VerdictMark.missing
  }
}
