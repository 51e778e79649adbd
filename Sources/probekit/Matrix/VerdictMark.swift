import FixtureReplay
import ProbePipeline

/// What stands in a narrow cell: a letter for the verdict, and a mark where it is not what is expected.
struct VerdictMark {
  /// The letter of an answer that is missing.
  static let missing = "-"
  /// What the marks mean, in the order of a legend.
  static let meanings: [(mark: String, meaning: String)] = [
    (mark(.otherVerdict), "not the expected verdict"),
    (mark(.otherLoginURL), "the expected verdict, but not the expected login URL"),
  ]

  /// The verdict's letter.
  let letter: String
  /// The mark behind it, or nothing.
  let mark: String

  /// The mark of an answer.
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
  /// The letter that stands for it in a matrix.
  var letter: String {
    switch self {
    case .online: "O"
    case .captivePortal: "P"
    case .intercepted: "I"
    case .partial: "~"
    case .offline: "X"
    case .inconclusive: "?"
    }
  }
}

extension VerdictMatrix.Row {
  /// The letters of the verdicts that are expected, or the mark of none.
  var expectedLetters: String {
    expectation.map { $0.verdicts.map(\.letter).joined(separator: "/") } ?? VerdictMark.missing
  }
}
