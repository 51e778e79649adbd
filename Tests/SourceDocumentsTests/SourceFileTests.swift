import SourceDocuments
import Testing

@Suite struct SourceFileTests {
  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (2, 2, 1), (4, 3, 1), (6, 3, 2), (7, 4, 1), (9, 5, 1), (99, 5, 1), (-1, 1, 1),
  ])
  func placesCountLinesAndCharacters(_ offset: Int, line: Int, column: Int) {
    // LF, CRLF and CR end lines; ü has two bytes and one column.
    let file = SourceFile(path: "f", bytes: Array("a\n\r\nü\rb\n".utf8))
    #expect(file.place(at: offset) == SourcePlace(line: line, column: column))
  }

  @Test func aByteOrderMarkTakesNoColumn() {
    let file = SourceFile(path: "f", bytes: Array("\u{FEFF}ab".utf8))
    #expect(file.place(at: 0) == SourcePlace(line: 1, column: 1))
    #expect(file.place(at: 3) == SourcePlace(line: 1, column: 1))
    #expect(file.place(at: 4) == SourcePlace(line: 1, column: 2))
  }

  @Test func aFindingIsSafeToShow() {
    let file = SourceFile(path: "a\u{1B}b", bytes: Array("x: \u{1B}[31m\n".utf8))
    let finding = SourceFinding(in: file, at: 3, message: "wrong", remedy: "mend it")
    #expect(finding.description == "a\\x1bb:1:4: wrong: mend it\n  x: \\x1b[31m\n     ^")
    #expect(SourceFinding(path: "p", message: "m").description == "p: m")
  }

  @Test func aFindingInALineOfAMegabyteShowsItsPlace() {
    let file = SourceFile(path: "f", bytes: Array(String(repeating: "ü", count: 500_000).utf8))
    let finding = SourceFinding(in: file, at: 500_000, message: "m")
    #expect(finding.place == SourcePlace(line: 1, column: 250_001))
    let shown = finding.caretLines ?? ""
    #expect(shown.count < 200)
    #expect(!shown.contains("\u{FFFD}"))
  }
}
