import Validators
import ProbeCore
import Testing

@Suite
struct DeviationValidatorTests {
  private static func rejection(of deviations: [Deviation], by names: [String]) throws -> String? {
    var response = ProbeResponse.example()
    response.deviations = deviations
    return try DeviationValidator(options: .init(names: names)).validate(response).rejection?.description
  }

  @Test(
    arguments: [
      ([.noField], ["noField"], nil), ([.noLength, .noField], ["noField"], nil),
      ([.oddVersion], ["any"], nil),
      ([.noLength], ["noField", "noLength"], nil),
      (
        [], ["noField", "noLength"],
        "expected a response with a header line without a name and a colon, or a Content-Length that is not a number, "
          + "found none"
      ),
      (
        [.noLength], ["noField"],
        "expected a response with a header line without a name and a colon, found a Content-Length that is not a number"
      ),
      ([], ["any"], "expected a response that violates HTTP, found none"),
    ] as [([Deviation], [String], String?)])
  func judges(_ deviations: [Deviation], _ names: [String], _ rejection: String?) throws {
    #expect(try Self.rejection(of: deviations, by: names) == rejection)
  }

  @Test(arguments: [
    ([], "the list of deviations is empty"), (["noFields"], "unknown deviation \"noFields\""),
    (["any", "noField"], "any includes the other deviations"),
  ])
  func unknownNamesAreRefused(_ names: [String], _ message: String) {
    let error = #expect(throws: InvalidInput.self) { try DeviationValidator(options: .init(names: names)) }
    #expect(error?.message == message)
  }

  /// The list must have every deviation that a reader reports.
  @Test func theListIsComplete() {
    #expect(Set(Deviation.all).count == Deviation.all.count)
    for deviation in Deviation.all { #expect(deviation.description != deviation.rawValue) }
  }
}
