import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

@testable import ProfileMatrix

/// The verdicts of profiles on networks, as a value.
@Suite struct VerdictMatrixTests {
  @Test func cellsAreInTheColumnsOfTheirProfiles() throws {
    let verification = FixtureVerification(
      path: "x",
      runs: [
        try MatrixSamples.run("second", .offline, against: nil),
        try MatrixSamples.run("first", .online, against: nil),
      ])
    let matrix = VerdictMatrix([verification], profiles: ["first", "missing", "second"])
    #expect(matrix.rows.map { $0.cells.map { $0?.verdict } } == [[.online, nil, .offline]])
  }

  @Test func judgements() throws {
    let matrix = try MatrixSamples.matrix()
    let judgements = matrix.rows.map { row in row.cells.map { $0.map(row.judgement) } }
    #expect(
      judgements == [
        [.asExpected, .otherLoginURL, .otherVerdict],
        [.asExpected, .otherVerdict, .asExpected],
        [.asExpected, .asExpected, .otherVerdict],
        [nil, nil, nil],
        [.asExpected, nil, nil],
        [.notJudged, .notJudged, .notJudged],
      ])
    #expect(matrix.rows.map(\.isDisputed) == [true, true, true, false, false, true])
    #expect(matrix.size == "6 fixtures (2 not replayed), 3 profiles")
  }

  @Test func tallies() throws {
    let tallies = try MatrixSamples.matrix().tallies
    #expect(tallies.map(\.profile) == MatrixSamples.profiles)
    #expect(
      tallies.map(\.columns) == [
        ["4/4", "0", "0", "0", "0"], ["1/3", "1", "0", "1", "0"], ["1/3", "0", "1", "0", "1"],
      ])
  }

  @Test func lettersAreDistinct() {
    let letters = Verdict.allCases.map(\.letter)
    #expect(Set(letters).count == Verdict.allCases.count)
    #expect(letters.allSatisfy { $0.count == 1 && $0 != VerdictMark.missing })
  }

  private static func groups(_ paths: [String]) -> [[String]] {
    VerdictMatrix(paths.map { FixtureVerification(path: $0) }, profiles: []).groups
      .map { [$0.name] + $0.rows.map(\.path) }
  }

  @Test func fixturesAreGroupedBelowTheirCommonFolder() {
    #expect(
      Self.groups(["fixtures/b/x", "fixtures/a/y", "fixtures/b/z"]) == [["b", "x", "z"], ["a", "y"]])
    #expect(Self.groups(["/f/a/x", "/f/a/y"]) == [["", "x", "y"]])
    #expect(Self.groups(["f/a/b/x", "f/a/y", "f/c/y"]) == [["a", "b/x", "y"], ["c", "y"]])
    #expect(Self.groups(["x", "f/y"]) == [["", "x"], ["f", "y"]])
    #expect(Self.groups(["f/only"]) == [["", "only"]])
    #expect(Self.groups([]) == [])
  }
}
