import TestSupport
import TestRequirements
import Testing

@testable import ProbeCore

@Suite struct ExclusionListTests {
  private func list(_ text: String) throws -> ExclusionList {
    try ExclusionList(Array(text.utf8))
  }

  private func mistakes(_ bytes: [UInt8]) -> [String] {
    do throws(InvalidExclusions) {
      _ = try ExclusionList(bytes)
      return []
    } catch {
      return error.mistakes.map(\.description)
    }
  }

  @Test(arguments: ["example.com", "EXAMPLE.com", "example.com.", " \texample.com \r", "ex%61mple.com"])
  func aHostExcludesOnlyItself(_ entry: String) throws {
    let list = try list(entry)
    #expect(list.entry(forHost: "example.com") == "example.com")
    #expect(list.entry(forHost: "example.com.") == "example.com")
    for host in ["www.example.com", "com", "myexample.com", "example.com.evil.example", "example.co", ""] {
      #expect(list.entry(forHost: host) == nil, "\(host)")
    }
  }

  @Test(arguments: ["*.example.com", "*.Example.COM."])
  func aStarExcludesTheSubdomains(_ entry: String) throws {
    let list = try list(entry)
    for host in ["www.example.com", "a.b.example.com", "a.b.example.com."] {
      #expect(list.entry(forHost: host) == "*.example.com", "\(host)")
    }
    for host in ["example.com", "myexample.com", "example.com.evil.example", "com", ".com", ""] {
      #expect(list.entry(forHost: host) == nil, "\(host)")
    }
  }

  @Test(arguments: ["Bücher.example", "xn--bcher-kva.example", "bücher。example"])
  func internationalizedNamesAreComparedInASCII(_ entry: String) throws {
    let list = try list(entry + "\n*." + entry)
    let url = try ProbeURL("http://b\u{fc}cher.example/")
    #expect(list.entry(forHost: url.host) == "xn--bcher-kva.example")
    #expect(list.entry(forHost: "www.\(url.host)") == "*.xn--bcher-kva.example")
  }

  @Test(arguments: [
    (
      "192.0.2.0/24",
      ["192.0.2.0", "192.0.2.255", "::ffff:192.0.2.7", "64:ff9b::192.0.2.7", "2002:c000:207::1"],
      ["192.0.1.255", "192.0.3.0", "::ffff:192.0.3.0", "2001:db8::c000:207"]
    ),
    ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.6", "192.0.2.8"]),
    ("::ffff:192.0.2.0/120", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.3.0", "::1"]),
    ("::ffff:192.0.2.7", ["192.0.2.7"], ["192.0.2.6"]),
    ("64:ff9b::/96", ["64:ff9b::192.0.2.7"], ["192.0.2.7", "64:ff9b:1::1"]),
    (
      "2001:db8::/32", ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"], ["2001:db7::", "2001:db9::"]
    ),
    ("2001:db8::7", ["2001:db8::7"], ["2001:db8::6"]),
    ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:8.8.8.8"], ["2001:db8::1"]),
    ("::/0", ["::", "2001:db8::1", "::ffff:8.8.8.8"], ["8.8.8.8"]),
  ])
  func blocksExcludeTheirAddresses(_ entry: String, _ inside: [String], _ outside: [String]) throws {
    let list = try list(entry)
    for text in inside { #expect(list.block(for: try #require(IPAddress(text))) != nil, "\(text)") }
    for text in outside { #expect(list.block(for: try #require(IPAddress(text))) == nil, "\(text)") }
  }

  @Test func theSmallestBlockIsNamed() throws {
    let list = try list("10.0.0.0/8\n10.1.2.3\n10.1.0.0/16\n2001:db8::/32\n2001:db8:1::/48")
    func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }
    #expect(list.block(for: try address("10.1.2.3"))?.description == "10.1.2.3")
    #expect(list.block(for: try address("10.1.2.4"))?.description == "10.1.0.0/16")
    #expect(list.block(for: try address("::ffff:10.2.0.1"))?.description == "10.0.0.0/8")
    #expect(list.block(for: try address("2001:db8:1::9"))?.description == "2001:db8:1::/48")
    #expect(list.block(for: try address("2001:db8:2::9"))?.description == "2001:db8::/32")
  }

  @Test func commentsAndEmptyLinesAreSkipped() throws {
    let list = try list(
      "\u{feff}# Hosts of others\r\n\r\none.example\r\n  # two.example\r\n\t\r\nthree.example")
    #expect(list.entry(forHost: "one.example") != nil)
    #expect(list.entry(forHost: "two.example") == nil)
    #expect(list.entry(forHost: "three.example") != nil)
    #expect(try self.list("").entry(forHost: "") == nil)
    #expect(try self.list("\n#").block(for: IPAddress(v4: 0)) == nil)
  }

  @Test(arguments: [
    ("two hosts.example", #"line 1: "two hosts.example" is no host, address or block"#),
    ("https://example.com/", #"line 1: "https://example.com/" is a URL: write its host alone"#),
    ("example.com:443", #"line 1: "example.com:443" has a port"#),
    (
      "192.0.2.1/24",
      #"line 1: the address of "192.0.2.1/24" does not end with its prefix: write 192.0.2.0/24"#
    ),
    ("192.0.2.0/33", #"line 1: "33" is no length of a prefix"#),
    ("example.com/24", #"line 1: "example.com/24" is no address"#),
    ("*", #"line 1: "*" is no host, address or block"#), ("*.", #"line 1: "*." is no host"#),
    ("*.192.0.2.1", #"line 1: "*.192.0.2.1" is no host"#), ("www.*.com", #"line 1: "www.*.com" is no host"#),
    (".example.com", #"line 1: ".example.com" is no host"#), ("192.0.2", #"line 1: "192.0.2" is no host"#),
    ("user@example.com", #"line 1: "user@example.com" is no host"#),
    ("example.com # why", #"line 1: "example.com # why" is no host"#),
    (String(repeating: "a", count: 5000), #"line 1: "aaaaaa"#),
  ])
  func invalidEntriesAreReported(_ text: String, _ start: String) {
    let mistakes = mistakes(Array(text.utf8))
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix(start) == true, "\(mistakes)")
    #expect(mistakes.first.map { $0.utf8.count < 250 } == true)
  }

  @Test func everyErrorIsReportedWithItsLine() {
    let bytes =
      Array("ok.example\r\n*.\n\n# a comment\n10.0.0.0/99\n".utf8) + [0xFF, 0x00, 0x1B, 0x0A]
      + Array("x y".utf8)
    #expect(mistakes(bytes).map { $0.prefix { $0 != ":" } } == ["line 2", "line 5", "line 6", "line 7"])
  }

  @Test func mistakesAreLimited() {
    let mistakes = mistakes(Array(repeating: UInt8(ascii: "/"), count: 1).repeated(1000, endedBy: 0x0A))
    #expect(mistakes.count == 101)
    #expect(mistakes.last == "900 more lines are not entries: check that it is the right file")
  }

  /// Entries, cut and changed at random, are read or reported in a text that is safe to print.
  @Test func anyBytesAreReadOrReported() {
    var numbers = SeededNumbers(seed: 29)
    let entries = [
      "*.b\u{fc}cher.example.", "192.0.2.0/24", "2001:db8::/32", "[::1]:80", "# x", "\u{feff}\r\n",
    ]
    let start = Array(entries.joined(separator: "\n").utf8)
    for _ in 0..<2000 {
      var bytes = start
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        let index = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[index] = .random(in: 0 ... .max, using: &numbers)
        case 1: bytes.insert(start.randomElement(using: &numbers) ?? 0, at: index)
        default: if bytes.count > 1 { bytes.remove(at: index) }
        }
      }
      for mistake in mistakes(bytes) {
        let isSafe = mistake.unicodeScalars.allSatisfy { !$0.mustBeEscapedForDisplay }
        #expect(isSafe, "\(bytes)")
      }
    }
  }

  @Test(.heavy) func aLookupInALongListTakesAsManyStepsAsInAShortOne() throws {
    var text = ""
    for number in 0..<20_000 {
      text += "host\(number).example\n*.domain\(number).example\n10.\(number / 256).\(number % 256).0/24\n"
    }
    let list = try list(text)
    #expect(
      list.entry(forHost: "host19999.example") != nil && list.entry(forHost: "host20000.example") == nil)
    #expect(list.entry(forHost: "a.b.domain777.example") == "*.domain777.example")
    #expect(list.block(for: IPAddress(v4: 0x0A01_0203))?.description == "10.1.2.0/24")
    #expect(list.block(for: IPAddress(v4: 0x0B01_0203)) == nil)
    // All those blocks have the same prefix length, so they are in one row.
    #expect(list.lengths == [24])
  }
}

extension [UInt8] {
  fileprivate func repeated(_ count: Int, endedBy end: UInt8) -> [UInt8] {
    (0..<count).flatMap { _ in self + [end] }
  }
}
