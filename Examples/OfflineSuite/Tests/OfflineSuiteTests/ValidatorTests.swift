import ProbeKit
import ProbeReplay
import Testing

/// Accepts only the word that the shop's own server sends, with at most a line end behind it.
struct ShopResponse: ResponseValidator {
  func validate(_ response: ProbeResponse) -> Validation {
    if response.body == Array("shop-ok".utf8) || response.body == Array("shop-ok\n".utf8) { return .accepted }
    return .rejectedBody(of: response, expected: "the shop's own word")
  }
}

/// A validator of the team's own, on captured responses.
@Suite struct ValidatorTests {
  private static let url = "http://check.shop.example/ok"

  @Test func theTrueResponseIsAccepted() async throws {
    let response = try await Captured.network("office").open(Self.url)
    #expect(ShopResponse().validate(response).isAccepted)
  }

  @Test(arguments: ["cafe-login", "train-terms", "library-filter"])
  func aResponseOfAnotherServerIsNotAccepted(network: String) async throws {
    let response = try await Captured.network(network).open(Self.url)
    #expect(!ShopResponse().validate(response).isAccepted)
  }

  @Test func aPipelineOfItsOwn() async throws {
    let pipeline = Pipeline("till") { ProbeSet("shop", Self.url).validate(ShopResponse()) }
      .policy(.plaintextAllowed)
    #expect(try await Captured.network("office").run(pipeline).verdict == .online)

    let train = try await Captured.network("train-terms").run(pipeline)
    #expect(train.verdict == .captivePortal)
    #expect(train.portal?.loginURL.string == "http://wifi.train.example/terms")
  }
}
