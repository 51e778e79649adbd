import ProbeCore
import Testing

@Suite
struct CaretTests {
  @Test(arguments: [
    ("a)b", 1, "a)b\n ^"),
    ("(a", 2, "(a\n  ^"),
    ("", 0, "\n^"),
    // Characters count by their width on a terminal, bytes do not.
    ("é)", 2, "é)\n ^"),
    ("👍)", 4, "👍)\n  ^"),
    ("中)", 3, "中)\n  ^"),
    // An escape is as wide as its source text.
    ("\t)", 1, "\\t)\n  ^"),
    // Of several lines, only the one with the error is shown.
    ("first\n  (second\nthird", 9, "  (second\n   ^"),
    // After the end.
    ("a", 7, "a\n ^"),
  ])
  func pointsAtTheError(input: String, offset: Int, lines: String) {
    #expect(InvalidInput("wrong", offset: offset).caretLines(in: input) == lines)
  }

  @Test func `of a long line the part around the error is shown`() {
    let input = String(repeating: "x", count: 200)
    let lines = InvalidInput("wrong", offset: 100).caretLines(in: input)
    let shown = "…" + String(repeating: "x", count: 90) + "…"
    #expect(lines == shown + "\n" + String(repeating: " ", count: 61) + "^")
  }

  @Test func `there is none for the entire value`() {
    #expect(InvalidInput("wrong").caretLines(in: "x") == nil)
  }
}
