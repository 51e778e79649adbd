import ProbeKit
import ProbeReplay
import Testing

@Test func theShopIsBehindAPortal() async throws {
  let network = try ReplayedNetwork("fixtures/worlds/captive", with: .bundled)
  let isUp = UpValidator(options: .init(service: "shop"))
  let pipeline = Pipeline("shop") {
    ProbeSet("shop", "http://shop.example/health").validate(isUp)
  }.policy(.plaintextAllowed)

  let result = try await network.run(pipeline)
  #expect(result.verdict == .captivePortal)
  #expect(result.portal?.loginURL.host == "login.hotel.example")
}
