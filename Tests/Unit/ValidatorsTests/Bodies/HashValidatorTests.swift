import FoundationEssentials
import ProbeCore
import Validators
import Testing

@Suite struct HashValidatorTests {
  private static let ofOK = "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df"
  private static let ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  @Test func theEntireBodyIsHashed() throws {
    let validator = try HashValidator(options: .init(sha256: Self.ofOK.uppercased()))
    #expect(validator.validate(.example(body: "ok")).isAccepted)
    let rejection = validator.validate(.example(body: "")).rejection
    #expect(rejection?.reason == .bodyMismatch)
    #expect(
      rejection?.description
        == "expected a body with the SHA-256 \(Self.ofOK), found 0 bytes with \(Self.ofNothing)")
  }

  @Test func aCutBodyIsUndecided() throws {
    var response = ProbeResponse.example(body: "ok")
    response.bodyIsCut = true
    let validator = try HashValidator(options: .init(sha256: Self.ofOK))
    #expect(validator.validate(response).rejection?.reason == .bodyTooLarge)
    #expect(Not(validator).validate(response).rejection?.reason == .bodyTooLarge)
  }

  @Test func theNumberOfDigitsSelectsTheFunction() throws {
    let long = String(repeating: "0", count: 128)
    for (text, options) in [
      (Self.ofOK, HashValidator.Options(sha256: Self.ofOK)), (long, HashValidator.Options(sha512: long)),
    ] {
      let decoded = try JSONDecoder().decode([HashValidator.Options].self, from: Data("[\"\(text)\"]".utf8))
      #expect(decoded == [options])
    }
  }

  @Test(
    arguments: [
      (nil, nil, "the hash is missing: add sha256 or sha512"),
      (ofOK, ofOK, "there are two hashes: keep sha256 or sha512"),
      (
        "12", nil,
        "\"12\" is not a SHA-256: give its 64 hexadecimal digits, as sha256sum FILE prints them"
      ),
      (
        nil, "xy",
        "\"xy\" is not a SHA-512: give its 128 hexadecimal digits, as sha512sum FILE prints them"
      ),
    ] as [(String?, String?, String)])
  func wrongOptionsAreExplained(_ sha256: String?, _ sha512: String?, _ words: String) {
    let mistake = #expect(throws: InvalidInput.self) {
      try HashValidator(options: .init(sha256: sha256, sha512: sha512))
    }
    #expect(mistake?.description == words)
  }
}
