import EngineProfiles
import ProbeCore
import Testing

/// The endpoints without a profile.
struct KnownEndpointTests {
  @Test(arguments: KnownEndpoint.all) func isAnUnencryptedURLWithItsSource(_ endpoint: KnownEndpoint) throws {
    #expect(try ProbeURL(endpoint.url).scheme == .http)
    #expect(!endpoint.system.isEmpty)
    #expect(!endpoint.source.text.isEmpty)
    #expect(endpoint.source.isOnADay)
    switch endpoint.response {
    case .text(let text), .page(let text): #expect(!text.isEmpty)
    case .noContent: break
    }
  }

  @Test func noneIsProbedByAProfileOrListedTwice() {
    #expect(KnownEndpoint.all.filter { EngineProfile.probe($0.url) } == [])
    #expect(Set(KnownEndpoint.all.map(\.url)).count == KnownEndpoint.all.count)
    #expect(KnownEndpoint.all.map(\.system) == KnownEndpoint.all.map(\.system).sorted())
  }
}
