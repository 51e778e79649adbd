import ProbeCore
import TestRequirements
import Testing

/// Parts of paths, as any server may read them.
@Suite struct PathPartTests {
  @Test(arguments: [
    ".", "..", "%2e%2E", "%252e.", "..;x", "..\\x", "x%2f..",
    // In more bytes than necessary.
    "%c0%ae", "%C0%AE%c0%ae", ".%e0%80%ae", "%f0%80%80%ae.", "%f8%80%80%80%ae.", "%fc%80%80%80%80%ae",
    "%25c0%25ae",
    "..%c0%afx", "..%c1%9cx", "..%c0%2fx", "..%c1%1cx", "..%c0%bbx", "%c0%2e.",
    // As IIS encodes.
    "%u002e", "%u002E%U002e", "..%u002fx", "..%u005cx", "%25u002e", "%uff0e.", "%u2025", "%u0025%u0032e",
    // Like them.
    "\u{FE30}", "%ef%b8%b0", "%ufe30", "\u{FE6A}2e\u{FE6A}2e", "..\u{FE54}x", "..\u{37E}x", "..\u{A0}",
    ".\u{200B}.", ".\u{AD}.", "\u{FF05}EF\u{FF05}BC\u{FF05}852e.",
    "\u{FF0E}", "\u{FF0E}.", "%ef%bc%8e%EF%BC%8E", "..\u{FF0F}x", "..\u{FF3C}x", "..\u{2215}x", "..\u{2044}x",
    "..\u{2216}x", "..\u{20E5}x", "..\u{FE68}x", "\u{2024}\u{2024}", "\u{2025}", "\u{FE52}.", "\u{FF05}2e.",
    "\u{FF05}\u{FF12}\u{FF45}", "..\u{FF1B}x",
  ])
  func namesAnotherFolder(_ text: String) {
    #expect(PathPart(text.utf8).namesOtherFolder)
  }

  @Test(arguments: [
    "", "...", "a..", "..a", "%2e%2e%2e", "é", "%c3%a9", "\u{3002}\u{3002}", "\u{FF61}", "\u{2026}", "%c2%ae",
    "%ce%ae",
    "%e2%80", "%c0", "%u00", "%u002", "%ud800", "%ff%fe.", "\u{1F600}", "\u{FF0E}com", "a\u{FF0F}b", "100%",
    "%zz",
    // In windows-1251.
    "%C0%EE",
  ])
  func isText(_ text: String) {
    #expect(!PathPart(text.utf8).namesOtherFolder)
  }

  @Test(arguments: [
    ("a", false), ("", false), ("%2fa", true), ("a%2f", false), ("%c0%afa", true), ("\u{FF0F}a", true),
    ("a%u002f%u002fb", true),
  ])
  func isEmpty(_ text: String, _ isEmpty: Bool) {
    #expect(PathPart(text.utf8).isEmpty(isLast: true) == isEmpty)
  }

  /// The work grows with the length only, however deep the encoding is.
  @Test(.heavy) func deepEncodingsAreDecoded() {
    let nested = "%" + String(repeating: "25", count: 20_000) + "2e"
    #expect(PathPart(nested.utf8).namesOtherFolder)
    let wide = String(repeating: "\u{FF05}\u{FF12}\u{FF15}", count: 20_000)
    #expect(!PathPart(wide.utf8).namesOtherFolder)
  }
}
