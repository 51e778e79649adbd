import ProbeCore
import Testing

@testable import ProbeStreams

private func query(_ name: String, _ type: String = "A", id: UInt16 = 7) throws -> [UInt8] {
  try DNSQuery(name: name, type: #require(RecordType(type))).message(id: id)
}

@Suite struct DNSRequestTests {
  @Test func aQueryIsRead() throws {
    let request = try DNSRequest(try query("WWW.Example.com", "AAAA"))
    #expect(request.host == "www.example.com" && request.type == .aaaa && request.isForInternet)
    #expect(try DNSRequest(query(".")).host == "")
  }

  @Test func theResponseMatchesTheQuery() throws {
    let question = try DNSQuery(name: "A.example", type: .a)
    let request = try DNSRequest(question.message(id: 0x1234))
    let address = try #require(IPAddress("28.64.0.1"))
    let bytes = try request.response(.noError, [address])
    let response = try DNSResponse(bytes, to: question, id: 0x1234)
    // The name keeps its case, because a client may check it.
    #expect(response.text == "A.example.\t0\tIN\tA\t28.64.0.1\n")
    #expect(response.facts.offersRecursion && !response.isTruncated)
    #expect(bytes.count < 512)
  }

  @Test func aResponseHasEDNSOnlyIfTheQueryHas() throws {
    let extended = try query("a.example")
    var plain = Array(extended.dropLast(11))
    plain[11] = 0
    #expect(try DNSRequest(extended).response(.noError)[11] == 1)
    #expect(try DNSRequest(plain).response(.noError)[11] == 0)
  }

  @Test(arguments: [DNSResponseCode.noSuchName, .serverFailure, .noError])
  func codesAreSent(code: DNSResponseCode) throws {
    let question = try DNSQuery(name: "a.example", type: .aaaa)
    let response = try DNSResponse(DNSRequest(question.message(id: 1)).response(code), to: question, id: 1)
    #expect(response.facts.code == code && response.facts.answer.isEmpty)
  }

  @Test func messagesThatAreNotQueriesAreRefused() throws {
    let good = try query("a.example")
    var response = good
    response[2] |= 0x80
    #expect(throws: LDNSError("it is a response, not a query")) { try DNSRequest(response) }
    var none = Array(good[..<12])
    (none[5], none[11]) = (0, 0)
    #expect(throws: LDNSError("it does not have exactly one question")) { try DNSRequest(none) }
    for length in 0..<good.count - 11 {
      #expect(throws: LDNSError.self) { try DNSRequest(Array(good[..<length])) }
    }
    // A name that refers to itself.
    let loop: [UInt8] = Array(good[..<12]) + [0xC0, 12, 0, 1, 0, 1]
    #expect(throws: LDNSError.self) { try DNSRequest(loop) }
  }

  @Test func otherClassesAndOperationsAreNotForTheInternet() throws {
    let chaos = try DNSQuery(
      name: "version.bind", type: #require(RecordType("TXT")), recordClass: #require(RecordClass("CH")))
    #expect(try !DNSRequest(chaos.message(id: 1)).isForInternet)
    var update = try query("a.example")
    update[2] = 5 << 3
    #expect(try !DNSRequest(update).isForInternet)
  }
}
