import ProbeCore
import Validators
import Testing

@Suite
struct SizeValidatorTests {
  typealias Options = SizeValidator.Options

  private static func rejection(
    of count: Int, isCut: Bool = false, by options: Options
  ) throws -> Validation.Rejection? {
    var response = ProbeResponse.example(body: String(repeating: "x", count: count))
    response.bodyIsCut = isCut
    return try SizeValidator(options: options).validate(response).rejection
  }

  @Test(
    arguments: [
      (Options(min: 0, max: 0), 0, nil), (Options(max: 1), 1, nil), (Options(min: 1), 5, nil),
      (Options(min: 2, max: 4), 4, nil),
      (Options(min: 0, max: 0), 1, "expected a body of 0 bytes, found 1 byte"),
      (Options(max: 1), 2, "expected a body of at most 1 byte, found 2 bytes"),
      (Options(min: 1), 0, "expected a body of at least 1 byte, found 0 bytes"),
      (Options(min: 2, max: 4), 5, "expected a body of 2 to 4 bytes, found 5 bytes"),
    ] as [(Options, Int, String?)])
  func judges(_ options: Options, _ count: Int, _ rejection: String?) throws {
    #expect(try Self.rejection(of: count, by: options)?.description == rejection)
    #expect(try Self.rejection(of: count, by: options)?.reason ?? .bodyMismatch == .bodyMismatch)
  }

  /// An incomplete body has at least the bytes received.
  @Test(
    arguments: [
      (Options(min: 1), 1, nil), (Options(min: 2), 1, .bodyTooLarge), (Options(max: 4), 4, .bodyTooLarge),
      (Options(max: 4), 5, .bodyMismatch), (Options(min: 0, max: 0), 0, .bodyTooLarge),
    ] as [(Options, Int, ReasonCode?)])
  func anIncompleteBodyMayBeLarger(_ options: Options, _ count: Int, _ reason: ReasonCode?) throws {
    #expect(try Self.rejection(of: count, isCut: true, by: options)?.reason == reason)
  }

  @Test(arguments: [
    (Options(), "the bounds of the size are missing"),
    (Options(min: 3, max: 2), "no body has a size from 3 to 2"),
    (Options(min: -1), "no body has a size from -1 to \(Int.max)"),
  ])
  func boundsThatNoSizeMeetsAreRefused(_ options: Options, _ message: String) {
    let error = #expect(throws: InvalidInput.self) { try SizeValidator(options: options) }
    #expect(error?.message == message)
  }
}
