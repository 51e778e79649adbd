import ProbeCore
import Testing

@testable import SourceDocuments

/// YAML features that other programs' files use, but this project's own files must not.
@Suite struct CommonDialectTests {
  private func read(_ text: String, _ dialect: SourceDocument.Dialect) -> (SourceNode?, [String]) {
    let findings = SourceFindings(SourceFile(path: "a.yml", bytes: Array(text.utf8)))
    let root = SourceDocument.read(findings, dialect: dialect)
    return (root, findings.all.map(\.message))
  }

  @Test(arguments: [
    ("a: &x { b: c }\nd: { <<: *x }", "merge keys are not known here"),
    ("a: !!binary YQ==", "the tag \"!!binary\" is unknown"),
    ("a: [b,c]", "a comma in a text without quotes"),
    ("a:\tb", "a tab outside of quotes"),
  ])
  func commonFeaturesAreErrorsInOwnFiles(_ text: String, _ message: String) {
    #expect(read(text, .strict).1 == [message])
    #expect(read(text, .common).1 == [])
  }

  @Test func aMergedMappingAddsMissingKeys() {
    let (root, messages) = read("a: &x { b: 1, c: 2 }\nd: { c: 3, <<: *x, e: 4 }", .common)
    #expect(messages == [])
    let merged = root?.entry("d")?.value
    #expect(merged?.entry("b")?.value.scalar?.text == "1")
    #expect(merged?.entry("c")?.value.scalar?.text == "3")
    #expect(merged?.entry("e")?.value.scalar?.text == "4")
    #expect(merged?.entry("<<") == nil)
  }

  @Test func theFirstMergedMappingHasPrecedence() {
    let (root, _) = read("a: &x { b: 1 }\nc: &y { b: 2, d: 3 }\ne: { <<: [*x, *y] }", .common)
    #expect(root?.entry("e")?.value.entry("b")?.value.scalar?.text == "1")
    #expect(root?.entry("e")?.value.entry("d")?.value.scalar?.text == "3")
  }

  @Test(arguments: [
    ("a: { <<: b }", "only a mapping can be merged, not a text"),
    ("a: { <<: [b] }", "only a mapping can be merged, not a text"),
    ("a: &x { b: 1 }\nc: { <<: *x, <<: *x }", "the key \"<<\" occurs twice"),
    ("a: &x\n  b: *x", "*x contains itself"),
  ])
  func invalidMergesAreErrors(_ text: String, _ message: String) {
    #expect(read(text, .common).1 == [message])
  }

  @Test func binaryScalarsKeepTheirMark() {
    let (root, _) = read("a: !!binary YQ==\nb: YQ==", .common)
    #expect(root?.entry("a")?.value.scalar?.isBinary == true)
    #expect(root?.entry("b")?.value.scalar?.isBinary == false)
  }
}
