import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import Testing
import TestSupport

/// Networks that open at a login, walked through as a guest would.
@Suite struct PortalLoginTests {
  private static let probes = [
    "http://connectivitycheck.gstatic.com/generate_204", "https://www.google.com/generate_204",
    "https://www.apple.com/library/test/success.html",
  ]

  private func network(_ fixture: String) throws -> ReplayedNetwork {
    let folder = projectFile("fixtures/portals/\(fixture)").path
    return try ReplayedNetwork(folder, with: .bundled)
  }

  @Test func aLoginOpensCoovaChilli() async throws {
    let network = try network("coova-chilli")
    let redirect = try await network.open(Self.probes[0])
    let page = try #require(redirect.redirects.first?.target)
    #expect(redirect.head?.version == "1.0" && redirect.status == 302)
    #expect(String(decoding: redirect.body, as: UTF8.self).contains("<MessageType>100</MessageType>"))
    #expect(try await network.open(page.string).status == 200)
    await #expect(throws: ProbeFailure.self) { try await network.open(Self.probes[1]) }

    #expect(try await network.open("http://10.1.0.1:3990/logon?username=17&password=x").status == 302)
    for url in Self.probes { #expect([200, 204].contains(try await network.open(url).status), "\(url)") }
    try network.journal.expect(.once, route: "login")
    #expect(network.journal.unmatched.isEmpty)
  }

  @Test func theRFC8908APIReportsTheLogin() async throws {
    struct Document: Decodable {
      var captive: Bool
      var userPortalURL: String

      enum CodingKeys: String, CodingKey {
        case captive
        case userPortalURL = "user-portal-url"
      }
    }
    let network = try network("rfc8908")
    func document() async throws -> Document {
      let response = try await network.open("https://portal.airport.example/capport")
      #expect(response.head?.fields["Content-Type"] == "application/captive+json")
      return try JSONDecoder().decode(Document.self, from: Data(response.body))
    }
    let before = try await document()
    #expect(before.captive)
    #expect(try await network.open(Self.probes[0]).redirects.first?.location == before.userPortalURL)
    #expect(try await network.open(before.userPortalURL).status == 200)

    #expect(try await network.open(before.userPortalURL) { $0.http.method = "POST" }.status == 303)
    #expect(try await document().captive == false)
    for url in Self.probes { #expect([200, 204].contains(try await network.open(url).status), "\(url)") }
  }
}
