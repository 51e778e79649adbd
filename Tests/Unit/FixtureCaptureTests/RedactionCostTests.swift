import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import FixtureCapture
@testable import ProbePatterns

/// The cost of redacting and checking texts of any size, which must be proportional to it.
@Suite(.heavy) struct RedactionCostTests {
  private static let patterns =
    HardwareAddresses.patterns + MailAddresses.patterns + InternetAddresses.patterns + NamedFields.patterns
    + URLPaths.patterns + HeaderLines.patterns

  /// Units that are repeated to a page; `N` is the number of the repetition, so that values differ.
  static let pages = [
    "function f(b){return b.c+d[e]}var g=1;", "<a href=\"http://a.example/x?a=b\">a</a> ", "?a=b&",
    "1.2.3.4 ",
    "<a href=/p/N?token=aB3dE6gH9jK2mN5pQN>x</a>", "02:17:aN:33:44:55 ", "aabb.ccdd.N ", "a@b.cc ",
    "uN@cN.org,",
    "10.N.2.3 ", "1:2:3:4:5:6:7:N ", "<input name=token value=aB3dE6gH9jK2mN5pQ8N>",
    "\"token\":\"aB3dE6gH9jN\",",
    "document.cookie='a=bN';", "your ip is <b>1.2.3.N</b> ", ":1", "1.", "a@", "a=", "/a", "%2525", "&#65;",
    "&#N;",
    "\\u0041", "\\", "%", "&", "<", "<a ", "<a>b</a>", "\"", "'", "\n", " ", ";a=b", "a-", "abcdef0123",
    "longwordwithoutanyend", "http://h.example/aB3dE6gH9jK2mN5pQN/ ", "\u{2026}", "é\u{FF}", "[[{(",
  ]
  /// Units that are repeated to lines of a head.
  static let lines = [
    "Keep-Alive: 1.2.3.4\r\n", "Set-Cookie: a=bN\r\n", "X-N-Id: aB3dE6gH9jK2mN5pQN\r\n", " folded\r\n",
    "Content-Range: u@N.org\r\n", "Cookie: a=b; cN=dddddd\r\n", "Via: 1.1 h.org\r\n", "Connection: a\r\n",
  ]

  private static func repeated(_ unit: String, upTo size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var number = 1000
    while bytes.count < size {
      bytes += unit.utf8.flatMap { $0 == UInt8(ascii: "N") ? Array("\(number)".utf8) : [$0] }
      number += 7
    }
    return bytes
  }

  private static func cost(of received: [UInt8]) throws -> Double {
    let exchange = try exchange(received: received)
    let start = threadTime()
    let redacted = exchange.redactedAlone
    _ = PrivateData.found(in: received)
    let time = threadTime() - start
    #expect(redacted.wire?.received.count == received.count)
    return time
  }

  /// Eight times the text takes about eight times as long; with a square it would be 64 times.
  @Test(.serialized, arguments: pages)
  func pagesTakeProportionalTime(_ unit: String) throws {
    let growth = try costGrowth { count in
      let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n".utf8)
      return try Self.cost(of: head + Self.repeated(unit, upTo: 16 * count))
    }
    #expect(growth < 24, "\(growth) times as much")
  }

  @Test(.serialized, arguments: lines)
  func headsTakeProportionalTime(_ unit: String) throws {
    let growth = try costGrowth { count in
      let head = Array("HTTP/1.1 200 OK\r\n".utf8) + Self.repeated(unit, upTo: 16 * count)
      return try Self.cost(of: head + "\r\nx".utf8)
    }
    #expect(growth < 24, "\(growth) times as much")
  }

  /// The interpreter is some ten times slower.
  @Test func allPatternsHaveMachineCode() throws {
    guard try Pattern("a").isTranslated else { try skipTest("machine code is not permitted here") }
    #expect(Self.patterns.allSatisfy { $0.pattern?.isTranslated == true })
  }

  /// Machine code finds the same as the interpreter, which is not affected by the faults of the library.
  @Test(arguments: 1...8)
  func machineCodeFindsTheSame(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    let units = Self.pages + Self.lines + Self.fragments
    for search in Self.patterns {
      let (text, options) = search.source
      let (pattern, interpreted) = (
        try #require(search.pattern), try Pattern(text, options: options, translated: false)
      )
      for _ in 0..<60 {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 1...24, using: &numbers) {
          let unit = Array((units.randomElement(using: &numbers) ?? "").utf8)
          text +=
            Bool.random(using: &numbers) ? unit : Array(unit.prefix(Int.random(in: 0...8, using: &numbers)))
          if Int.random(in: 0..<30, using: &numbers) == 0 {
            text.append(.random(in: 0...255, using: &numbers))
          }
        }
        #expect(Self.matches(of: pattern, in: text) == Self.matches(of: interpreted, in: text), "\(text)")
      }
    }
  }

  private static func matches(of pattern: Pattern, in text: [UInt8]) -> [[Range<Int>?]] {
    var matches: [[Range<Int>?]] = []
    let names = pattern.groupNames.sorted()
    #expect(
      pattern.forEachMatch(in: text) { match in matches.append([match.range] + names.map { match[$0] }) })
    return matches
  }

  /// Parts of what the patterns look for.
  private static let fragments = [
    "%3f", "%253f", "%26", "%3d", "%253d", "&amp;", "&#38;", "\\x26", "name", "Client-MAC", "=", "==", ":",
    ",",
    ": ", "\"", "\\\"", "\\\\\"", "'", "]", "12345", "}", ">", "</", "<![CDATA[", "]]>", "<ns:", "cookie",
    "+=", ";",
    "user's ip", "client IPv4 address is", "<meta ", "content=", "\u{E9}", "\t", "\r\n", "@", "%40", "&#64;",
    "example.com", ".", "..", "aa", "00:11:22:33:44:55", "%3A", "10.2.3.4", "::", "fe80::1", "/path/", "%2f",
    "aB3dE6gH9jK2mN5pQ8sT", ".html", "charset=", "utf-16le", "nonce=", "HTTP/1.1 204",
  ]
}
