import ProbeCore
import Validators
import Testing

@Suite
struct StartsWithValidatorTests {
  private static func rejection(
    of body: String, isCut: Bool = false, fields: HeaderFields = [:]
  ) throws -> Validation.Rejection? {
    var response = ProbeResponse.example(fields: fields, body: body)
    response.bodyIsCut = isCut
    return try StartsWithValidator("NetworkManager is online").validate(response).rejection
  }

  @Test(
    arguments: [
      ("NetworkManager is online", nil), ("NetworkManager is online\n", nil),
      (
        "networkManager is online",
        #"expected a body that starts with "NetworkManager is online", found "networkManager is online" at byte 0"#
      ),
      (
        "NetworkManager was",
        #"expected a body that starts with "NetworkManager is online", found "was" at byte 15"#
      ),
      (
        "NetworkM",
        #"expected a body that starts with "NetworkManager is online", found the end of the body at byte 8"#
      ),
      ("", #"expected a body that starts with "NetworkManager is online", found an empty body"#),
    ] as [(String, String?)])
  func judges(_ body: String, _ rejection: String?) throws {
    #expect(try Self.rejection(of: body)?.description == rejection)
    #expect(try Self.rejection(of: body)?.reason ?? .bodyMismatch == .bodyMismatch)
  }

  /// A difference decides at once; without one, the rest of the body may still decide.
  @Test(arguments: [("x", ReasonCode.bodyMismatch), ("NetworkM", .bodyTooLarge), ("", .bodyTooLarge)])
  func aDifferenceDecidesForAnIncompleteBody(_ body: String, _ reason: ReasonCode) throws {
    #expect(try Self.rejection(of: body, isCut: true)?.reason == reason)
    #expect(try Self.rejection(of: "NetworkManager is online", isCut: true) == nil)
  }

  @Test func bytesAreComparedAsReceived() throws {
    #expect(try Self.rejection(of: "\u{FEFF}NetworkManager is online")?.offset == 0)
    #expect(
      try Self.rejection(
        of: "\u{FEFF}NetworkManager is online", fields: ["Content-Type": "text/plain; charset=utf-8"]) != nil)
  }

  @Test func anEmptyTextIsRefused() {
    let error = #expect(throws: InvalidInput.self) { try StartsWithValidator("") }
    #expect(error?.message == "the text is empty")
  }
}
