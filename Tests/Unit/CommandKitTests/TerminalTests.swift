import Testing

@testable import CommandKit

/// Whether output has colours and characters outside ASCII.
@Suite struct TerminalTests {
  static let colors:
    [(isTerminal: Bool, choice: ColorDecision.Choice, environment: [String: String], color: Bool)] = [
      (true, .auto, [:], true), (false, .auto, [:], false), (true, .never, [:], false),
      (true, .auto, ["NO_COLOR": "1"], false), (true, .auto, ["NO_COLOR": ""], true),
      (true, .auto, ["TERM": "dumb"], false), (true, .auto, ["TERM": "xterm"], true),
      (false, .always, [:], true), (true, .always, ["NO_COLOR": "1", "TERM": "dumb"], true),
      (false, .never, ["TERM": "xterm"], false),
    ]

  @Test(arguments: colors)
  func color(
    isTerminal: Bool, choice: ColorDecision.Choice, environment: [String: String], color: Bool
  ) {
    let decision = ColorDecision(isTerminal: isTerminal, choice: choice, environment: environment)
    #expect(decision.usesColor == color)
  }

  static let locales: [(environment: [String: String], isUTF8: Bool)] = [
    ([:], false), (["LANG": ""], false), (["LANG": "C"], false), (["LANG": "POSIX"], false),
    (["LANG": "C.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "de_DE.UTF-8@euro"], true),
    (["LANG": "en_US"], false), (["LANG": "de_DE.ISO-8859-1"], false), (["LC_CTYPE": "UTF-8"], true),
    (["LC_ALL": "C", "LC_CTYPE": "C.UTF-8", "LANG": "C.UTF-8"], false),
    (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
    (["LC_CTYPE": "C", "LANG": "C.UTF-8"], false), (["LC_MESSAGES": "C.UTF-8"], false),
  ]

  @Test(arguments: locales)
  func locale(_ environment: [String: String], isUTF8: Bool) {
    #expect(LocaleEncoding.isUTF8(environment) == isUTF8)
  }
}
