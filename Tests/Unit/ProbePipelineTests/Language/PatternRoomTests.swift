import BundledPlugins
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestRequirements
import Testing

/// The work and memory that all patterns of a file may use together.
@Suite(.heavy) struct PatternRoomTests {
  /// Uses about a fortieth of the limit.
  private static let large = "(?:[a-z]x){1,1000}"
  private static let tooMany =
    "the patterns up to here take more than the 8 MiB that a file may have for them"

  private func load(_ sets: String) throws -> LoadedPipeline {
    let text = "version: 1\nname: x\npolicy: { https: optional }\nsets:\n\(sets)"
    return PipelineLoader(try .bundled).load(path: "f.yaml", bytes: Array(text.utf8))
  }

  /// A set of URLs with a given part for each.
  private func set(_ count: Int, _ scheme: String = "https", _ part: (Int) -> String) -> String {
    "- name: a\n  urls:\n"
      + (0..<count).map { "  - { url: '\(scheme)://a\($0).example:1', \(part($0)) }\n" }.joined()
  }

  @Test func manyOrdinaryPatternsAreAccepted() throws {
    let sets = set(1500) {
      "validate: { matches: { pattern: '<title>\\s*Host \($0) of (?<site>[a-z]+)\\s*</title>', options: [caseless] } }"
    }
    #expect(try load(sets).findings().isEmpty)
  }

  static let forms: [(scheme: String, form: String)] = [
    ("https", "validate: { matches: '#' }"),
    ("https", "validate: { all: [{ status: 204 }, { any: [{ header: { name: X, matches: '#' } }] }] }"),
    ("https", "classify: [{ when: { not: { matches: '#' } }, outcome: accepted }]"),
    ("https", "validate: { contains: { text: '#', caseless: true } }"),
    ("https", "validate: { equals: { text: '#', caseless: true } }"),
    ("tcp", "request: { dialog: [{ expect: { matches: '#' } }] }"),
    ("tcp", "request: { dialog: [{ reject: { text: '#', caseless: true } }, { expect: x }] }"),
  ]

  /// A caseless text of letters with three case variants each costs as much as a pattern.
  private func text(_ form: String, _ number: Int) -> String {
    let text =
      form.contains("matches") ? "\(Self.large)\(number)" : String(repeating: "k", count: 3000) + "\(number)"
    return form.replacing("#", with: text)
  }

  @Test(arguments: forms) func theFirstExcessPatternIsReported(_ scheme: String, _ form: String) throws {
    let findings = try load(set(300, scheme) { text(form, $0) }).findings()
    #expect(
      findings.map(\.message).map { $0.hasSuffix(Self.tooMany) } == [true], "\(findings.map(\.message))")
    #expect((findings.first?.location?.line).map { (10..<300).contains($0) } == true)
  }

  @Test(arguments: forms) func equalPatternsCountOnce(_ scheme: String, _ form: String) throws {
    #expect(try load(set(300, scheme) { _ in text(form, 1) }).findings().isEmpty)
  }

  @Test func invalidPatternsAlsoCount() throws {
    let findings = try load(set(300) { "validate: { matches: '\(Self.large)\($0)(' }" }).findings()
    #expect(findings.count < 150)
    #expect(findings.last?.message == Self.tooMany)
  }

  @Test func otherErrorsAreStillReported() throws {
    let findings = try load(set(60) { text("validate: { matches: '#' }", $0) } + "  thresold: 1\n").findings()
    #expect(findings.map(\.message).contains { $0.contains("thresold") })
    #expect(findings.count == 2)
  }
}
