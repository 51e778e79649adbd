import FoundationEssentials
import Testing

@testable import ProbeCore

/// The part of a response that is kept for a report.
@Suite struct KeptResponseTests {
  private static func answer(_ fields: HeaderFields, body: [UInt8] = []) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("http://a.test/"),
      head: HTTPResponseHead(status: 200, reasonPhrase: "OK", fields: fields),
      body: body)
  }

  @Test func theUsualFieldsAreKept() throws {
    let fields: HeaderFields = ["Server": "here", "Content-Type": "text/plain"]
    var answer = try Self.answer(fields, body: [1])
    answer.keepForReport()
    #expect(try answer == Self.answer(fields))
  }

  @Test func longPartsAreCutOrOmitted() throws {
    let long = String(repeating: "x", count: 60_000)
    var answer = try Self.answer(["Server": "here", "X-Long": long, "Other": "gone"])
    answer.head?.reasonPhrase = long
    answer.redirects = [
      RedirectHop(url: answer.url, status: 302, location: long, target: try ProbeURL("http://b.test/"))
    ]
    let certificate = CertificateFacts(
      subject: long, issuer: long, alternativeNames: Array(repeating: "name.test", count: 60_000),
      serialNumber: "01", notBefore: Date(), notAfter: Date(), fingerprint: "ab")
    answer.tls = TLSFacts(chain: Array(repeating: certificate, count: 30))
    answer.keepForReport()
    #expect(answer.head?.fields == ["Server": "here"])
    #expect(answer.head?.reasonPhrase == String(repeating: "x", count: 1024))
    #expect(answer.redirects.map(\.location) == [String(repeating: "x", count: 1024)])
    #expect(answer.redirects.map(\.target?.host) == ["b.test"])
    let chain = try #require(answer.tls?.chain)
    #expect(chain.count == 8)
    for certificate in chain {
      #expect(certificate.subject.utf8.count == 1024 && certificate.issuer.utf8.count == 1024)
      #expect(certificate.alternativeNames.count < 500)
      #expect(certificate.alternativeNames.count + certificate.omittedNames == 60_000)
    }
  }

  @Test(arguments: ["", "a", "name.test"])
  func manyNamesAreCountedWhenTheyAreOmitted(_ name: String) throws {
    var answer = try Self.answer([:])
    var certificate = CertificateFacts(
      subject: "CN=a", issuer: "CN=b", alternativeNames: Array(repeating: name, count: 30_000),
      serialNumber: "01",
      notBefore: Date(), notAfter: Date(), fingerprint: "ab")
    certificate.issuerNames = Array(repeating: "b", count: 5000)
    answer.tls = TLSFacts(chain: [certificate])
    answer.keepForReport()
    answer.keepForReport()
    let kept = try #require(answer.tls?.chain.first)
    #expect((100..<600).contains(kept.alternativeNames.count))
    #expect(kept.alternativeNames.count + kept.omittedNames == 30_000)
    #expect(kept.issuerNames.count == 8)
    #expect(kept.shownNames(2) == "\(name), \(name) and 29998 more")
  }
}
