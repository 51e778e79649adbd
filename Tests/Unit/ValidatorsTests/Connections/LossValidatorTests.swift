import Validators
import ProbeCore
import Testing

@Suite struct LossValidatorTests {
  private func response(_ sent: Int, _ received: Int) throws -> ProbeResponse {
    var response = ProbeResponse(url: try ProbeURL("icmp://192.0.2.1"))
    response.ping = PingFacts(sent: sent, roundTrips: Array(repeating: .milliseconds(2), count: received))
    return response
  }

  @Test(arguments: [
    ("0%", 3, 3, true), ("0%", 3, 2, false), ("33%", 3, 2, false), ("33.4%", 3, 2, true), ("20%", 5, 4, true),
    ("19.9%", 5, 4, false), ("99%", 100, 1, true),
  ])
  func theLossIsCompared(_ limit: String, _ sent: Int, _ received: Int, isAccepted: Bool) throws {
    let validator = try LossValidator(options: LossValidator.Options(atMost: limit))
    #expect(validator.validate(try response(sent, received)).isAccepted == isAccepted)
  }

  @Test func theRejectionHasTheNumbers() throws {
    let rejection = try LossValidator(options: LossValidator.Options(atMost: "10%"))
      .validate(try response(3, 2)).rejection
    #expect(rejection?.reason == .tooMuchLoss)
    #expect(
      rejection?.description
        == "expected a loss of at most 10 %, found 3 sent, 2 received, 33.3 % loss, min/avg/max 2.0/2.0/2.0 ms"
    )
  }

  @Test(arguments: ["", "%", "10", "100%", "-1%", "a%", "1e400%", "nan%"])
  func otherTextsAreRefused(_ text: String) {
    #expect(throws: InvalidInput.self) { try LossValidator(options: LossValidator.Options(atMost: text)) }
  }
}
