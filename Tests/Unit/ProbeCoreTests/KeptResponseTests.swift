import FoundationEssentials
import Testing

@testable import ProbeCore

/// The part of a response that is kept for a report.
@Suite struct KeptResponseTests {
  private static func response(_ fields: HeaderFields, body: [UInt8] = []) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("http://a.test/"),
      head: HTTPResponseHead(status: 200, reasonPhrase: "OK", fields: fields),
      body: body)
  }

  @Test func theUsualFieldsAreKept() throws {
    let fields: HeaderFields = ["Server": "here", "Content-Type": "text/plain"]
    var response = try Self.response(fields, body: [1])
    response.keepForReport()
    #expect(try response == Self.response(fields))
  }

  @Test func longPartsAreCutOrOmitted() throws {
    let long = String(repeating: "x", count: 60_000)
    var response = try Self.response(["Server": "here", "X-Long": long, "Other": "gone"])
    response.head?.reasonPhrase = long
    response.redirects = [
      RedirectHop(url: response.url, status: 302, location: long, target: try ProbeURL("http://b.test/"))
    ]
    let certificate = CertificateFacts(
      subject: long, issuer: long, alternativeNames: Array(repeating: "name.test", count: 60_000),
      serialNumber: "01", notBefore: Date(), notAfter: Date(), fingerprint: "ab")
    response.tls = TLSFacts(chain: Array(repeating: certificate, count: 30))
    response.keepForReport()
    #expect(response.head?.fields == ["Server": "here"])
    #expect(response.head?.reasonPhrase == String(repeating: "x", count: 1024))
    #expect(response.redirects.map(\.location) == [String(repeating: "x", count: 1024)])
    #expect(response.redirects.map(\.target?.host) == ["b.test"])
    let chain = try #require(response.tls?.chain)
    #expect(chain.count == 8)
    for certificate in chain {
      #expect(certificate.subject.utf8.count == 1024 && certificate.issuer.utf8.count == 1024)
      #expect(certificate.alternativeNames.count < 500)
      #expect(certificate.alternativeNames.count + certificate.omittedNames == 60_000)
    }
  }

  @Test(arguments: ["", "a", "name.test"])
  func manyNamesAreCountedWhenTheyAreOmitted(_ name: String) throws {
    var response = try Self.response([:])
    var certificate = CertificateFacts(
      subject: "CN=a", issuer: "CN=b", alternativeNames: Array(repeating: name, count: 30_000),
      serialNumber: "01",
      notBefore: Date(), notAfter: Date(), fingerprint: "ab")
    certificate.issuerNames = Array(repeating: "b", count: 5000)
    response.tls = TLSFacts(chain: [certificate])
    response.keepForReport()
    response.keepForReport()
    let kept = try #require(response.tls?.chain.first)
    #expect((100..<600).contains(kept.alternativeNames.count))
    #expect(kept.alternativeNames.count + kept.omittedNames == 30_000)
    #expect(kept.issuerNames.count == 8)
    #expect(kept.shownNames(2) == "\(name), \(name) and 29998 more")
  }
}
