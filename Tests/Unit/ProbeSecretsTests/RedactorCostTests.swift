import TestRequirements
import TestSupport
import Testing

import ProbeSecrets

/// The cost of redacting hostile texts, counted in comparisons.
@Suite(.heavy) struct RedactorCostTests {
  private static let tokens = (0..<100).map { "token-\($0)-\(String($0 * 7919, radix: 36))/+=\"" }
  /// Secrets that nearly match each of these texts, or occur in it as often as possible.
  static let secrets: [(name: String, secrets: [String])] = [
    ("one", ["canary/7f3a"]), ("short", ["aaaa"]), ("a hundred", tokens),
    ("nested", (4..<200).map { String(repeating: "a", count: $0) }),
    ("long", [String(repeating: "a", count: 8192)]), ("signs", [String(repeating: "+", count: 4096)]),
    ("percent", [String(repeating: "%25", count: 1000)]),
    ("spaces", [String(repeating: " ", count: 4000) + "b"]),
    ("escapes", ["%2525%25&amp;amp;\\\\\\u0025"]),
  ]

  static let texts = [
    "a", "aaab", "%61", "%2561", "%25", "%", "%2", "%2525", "&", "&amp;", "&#", "&#97;", "&#x000061", "&amp",
    "\\", "\\u0061",
    "\\u", "\\\\", "+", "+ ", "%2B", "canary/7f3", "canary/7f3a", "token-1-", "YWFh", "…", "aaaaaaaaaaaaaaa…",
    "<>",
  ]

  @Test(arguments: secrets.map(\.name))
  func theCostIsProportionalToTheLength(_ name: String) throws {
    let secrets = try #require(Self.secrets.first { $0.name == name }).secrets
    let redactor = Redactor(secrets.map { Secret($0) })
    for text in Self.texts {
      let bytes = Array(String(repeating: text, count: 4000 / text.utf8.count).utf8)
      var steps = 0
      let occurrences = redactor.occurrences(in: bytes, counting: &steps)
      #expect(steps < 24 * bytes.count, "\(steps / bytes.count) for each byte of \(text)")
      #expect(
        zip(occurrences, occurrences.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
    }
  }

  @Test func everyEchoIsReplaced() {
    let redactor = Redactor([Secret("ab/d")])
    let spellings = ["ab/d", "ab%2fd", "ab&#47;d", "YWIvZA=="]
    let body = Array(repeating: spellings.joined(separator: ","), count: 1000).joined(separator: ",")
    let expected = Array(repeating: "<redacted>", count: 4000).joined(separator: ",")
    #expect(redactor.redacted(Array(body.utf8)) == Array(expected.utf8))
  }

  @Test func aSecretOfMaximumLengthIsFoundInSeveralSpellings() {
    let secret = String((0..<13_107).map { "\(10_000 + $0)" }.joined(separator: "").prefix(65_536))
    let redactor = Redactor([Secret(secret)])
    for text in [
      secret, Spellings.escaped(secret) { "%\(String($0.value, radix: 16))" }, base64(("me:" + secret).utf8),
    ] {
      #expect(redactor.redacted("a \(text) b").utf8.count < 20)
    }
  }
}
