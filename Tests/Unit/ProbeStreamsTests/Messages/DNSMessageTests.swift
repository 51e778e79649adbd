import ProbeCore
import Testing

@testable import ProbeStreams

/// A response to a query: its header and question, with changes, and records.
private func response(
  to query: DNSQuery, id: UInt16 = 7, flags: UInt16 = 0x8180, count: Int = 0, _ records: [UInt8] = []
) throws -> [UInt8] {
  var bytes = try query.message(id: id)
  // Without the pseudo-record of EDNS: a root name, ten bytes.
  bytes.removeLast(11)
  (bytes[2], bytes[3]) = (UInt8(flags >> 8), UInt8(truncatingIfNeeded: flags))
  (bytes[7], bytes[11]) = (UInt8(count), 0)
  return bytes + records
}

private func question(_ name: String = "a.example", _ type: String = "A") throws -> DNSQuery {
  try DNSQuery(name: name, type: #require(RecordType(type)))
}

@Suite struct DNSMessageTests {
  @Test func aQueryIsWritten() throws {
    var query = try question()
    let usual = try query.message(id: 0x1234)
    #expect(Array(usual[..<12]) == [0x12, 0x34, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 1])
    #expect(Array(usual[12..<27]) == [1, 0x61, 7] + Array("example".utf8) + [0, 0, 1, 0, 1])
    // EDNS: the root, type 41, 1232 bytes, no flags, no options.
    #expect(Array(usual[27...]) == [0, 0, 41, 0x04, 0xD0, 0, 0, 0, 0, 0, 0])
    query.recursion = false
    query.dnssec = true
    let other = try query.message(id: 0)
    #expect(other[2] == 0)
    #expect(other[34] == 0x80)
  }

  @Test func recordsAreText() throws {
    let text: [UInt8] = [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 5, 4] + Array("a\"\\b".utf8)
    let mail: [UInt8] = [0xC0, 12, 0, 15, 0, 1, 0, 0, 0x0E, 0x10, 0, 4, 0, 10, 0xC0, 12]
    let other: [UInt8] = [0xC0, 12, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 2, 1, 0xAB]
    let query = try question("a.example", "ANY")
    let found = try DNSResponse(try response(to: query, count: 3, text + mail + other), to: query, id: 7)
    #expect(
      found.text == "a.example.\t60\tIN\tTXT\t\"a\\\"\\\\b\"\na.example.\t3600\tIN\tMX\t10 a.example.\n"
        + "a.example.\t0\tIN\tTYPE65280\t\\# 2 01ab\n")
    #expect(found.facts.code == .noError && found.facts.type == "ANY" && !found.isTruncated)
    #expect(found.facts.offersRecursion && !found.facts.isAuthoritative && !found.facts.isAuthenticated)
    #expect(found.facts.answer.map(\.timeToLive) == [.seconds(60), .seconds(3600), .zero])
  }

  @Test func flagsAndCodesAreRead() throws {
    let query = try question()
    let found = try DNSResponse(try response(to: query, flags: 0x8623), to: query, id: 7)
    #expect(found.isTruncated && found.facts.isAuthoritative && found.facts.isAuthenticated)
    #expect(found.facts.code == .noSuchName)
    // EDNS has the upper bits of the code: 1 << 4 is BADVERS.
    var extended = try response(to: query, flags: 0x8180, [0, 0, 41, 4, 0xD0, 1, 0, 0, 0, 0, 0])
    extended[11] = 1
    #expect(try DNSResponse(extended, to: query, id: 7).facts.code.description == "BADVERS")
    #expect(DNSResponseCode(rawValue: 12).description == "RCODE12")
  }

  @Test func anotherQuestionIsRefused() throws {
    let query = try question()
    for other in [try question("b.example"), try question("a.example", "AAAA")] {
      #expect(throws: LDNSError.self) { try DNSResponse(response(to: other), to: query, id: 7) }
    }
    #expect(throws: LDNSError.self) { try DNSResponse(response(to: query, id: 8), to: query, id: 7) }
    #expect(throws: LDNSError.self) { try DNSResponse(query.message(id: 7), to: query, id: 7) }
    // Names are compared without regard to case.
    let shouted = try question("A.EXAMPLE")
    #expect(try DNSResponse(response(to: shouted), to: query, id: 7).facts.code == .noError)
  }

  @Test func anErrorNeedsNoQuestion() throws {
    let query = try question()
    let bare: [UInt8] = [0, 7, 0x80, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    #expect(try DNSResponse(bare, to: query, id: 7).facts.code == .formatError)
    var response = bare
    response[3] = 0
    #expect(throws: LDNSError.self) { try DNSResponse(response, to: query, id: 7) }
  }

  @Test func brokenMessagesAreRefused() throws {
    let query = try question()
    let whole = try response(to: query, count: 1, [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1])
    #expect(try DNSResponse(whole, to: query, id: 7).text == "a.example.\t60\tIN\tA\t192.0.2.1\n")
    for length in 0..<whole.count {
      #expect(throws: LDNSError.self, "\(length)") {
        try DNSResponse(Array(whole[..<length]), to: query, id: 7)
      }
    }
    var cut = Array(whole.dropLast())
    #expect(!DNSResponse.isTruncated(cut, id: 7))
    cut[2] |= 2
    #expect(DNSResponse.isTruncated(cut, id: 7))
    #expect(!DNSResponse.isTruncated(cut, id: 8))
    #expect(!DNSResponse.isTruncated([0, 7, 0x82], id: 7))
  }

  @Test func namesAreAbsolute() throws {
    #expect(try question("a.example.").name == "a.example.")
    #expect(try question("a.example").name == "a.example.")
    #expect(try question(".").name == ".")
    #expect(try question("_sip._tcp.a").name == "_sip._tcp.a.")
    #expect(try question("odd\\.label.a").name == "odd\\.label.a.")
    for wrong in ["", "a..b", String(repeating: "a", count: 64), "a\0b"] {
      #expect(throws: LDNSError.self, "\(wrong)") { try question(wrong) }
    }
  }

  @Test func addressesHaveReverseNames() throws {
    #expect(try DNSQuery.reverseName(of: IPAddress(v4: 0xC000_0201)) == "1.2.0.192.in-addr.arpa.")
    #expect(
      try DNSQuery.reverseName(of: IPAddress(v6: 1)) == "1." + String(repeating: "0.", count: 31)
        + "ip6.arpa.")
  }

  @Test func typesHaveNames() throws {
    #expect(RecordType("mx")?.description == "MX")
    #expect(RecordType("TYPE65534")?.description == "TYPE65534")
    #expect(RecordType("MXX") == nil && RecordType("") == nil)
    #expect(RecordType("AXFR")?.isTransfer == true)
    #expect(RecordClass("ch") != nil && RecordClass("XX") == nil)
  }

  @Test(arguments: [
    ("A", "192.0.2.1", "192.0.2.1", true), ("AAAA", "2001:DB8:0::1", "2001:db8::1", true),
    ("MX", "10 Mail.Example", "10 mail.example.", true), ("MX", "20 mail.example", "10 mail.example.", false),
    ("DS", "1 13 2 ABCD", "1 13 2 abcd", true), ("TXT", "\"a\" \"b\"", "\"ab\"", false),
    ("TYPE65400", "\\# 2 0AFF", "\\# 2 0aff", true),
  ])
  func dataIsCompared(_ type: String, _ left: String, _ right: String, isEqual: Bool) throws {
    let (left, right) = try (#require(RecordData(left, type: type)), #require(RecordData(right, type: type)))
    #expect((left == right) == isEqual)
    #expect(RecordData("999.0.2.1", type: "A") == nil)
    #expect(RecordData("a\nb. 0 IN A 192.0.2.1", type: "CNAME") == nil)
  }
}
