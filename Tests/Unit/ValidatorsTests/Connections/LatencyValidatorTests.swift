import Validators
import FoundationEssentials
import ProbeCore
import Testing

@Suite struct LatencyValidatorTests {
  private func response(_ timings: ProbeTimings) throws -> ProbeResponse {
    ProbeResponse(url: try ProbeURL("https://h.test/"), timings: timings)
  }

  @Test(arguments: LatencyValidator.Phase.allCases)
  func eachPhaseIsJudgedSeparately(_ phase: LatencyValidator.Phase) throws {
    let slow = ProbeTimings(
      resolve: .seconds(1), connect: .seconds(2), tls: .seconds(3), firstByte: .seconds(4),
      total: .seconds(10))
    let longest: [LatencyValidator.Phase: Int] = [
      .resolve: 1, .connect: 2, .tls: 3, .firstByte: 4, .total: 10,
    ]
    let time = Duration.seconds(try #require(longest[phase]))
    let received = try response(slow)
    #expect(LatencyValidator(below: time + .nanoseconds(1), phase: phase).validate(received).isAccepted)
    let rejection = LatencyValidator(below: time, phase: phase).validate(received).rejection
    #expect(rejection?.reason == .tooSlow)
  }

  @Test func theRejectionHasTheExpectedAndActualValues() throws {
    let validator = try LatencyValidator(options: .init(below: "800ms"))
    let rejection = validator.validate(try response(ProbeTimings(total: .microseconds(812_345)))).rejection
    #expect(rejection?.description == "expected an answer in less than 800ms, found 812.3 ms")
  }

  @Test func fractionsOfAMillisecondAreReported() throws {
    let rejection = LatencyValidator(below: .microseconds(1500), phase: .connect)
      .validate(try response(ProbeTimings(connect: .microseconds(1600)))).rejection
    #expect(rejection?.description == "expected a connection in less than 1.5 ms, found 1.6 ms")
  }

  @Test(arguments: LatencyValidator.Phase.allCases)
  func aPhaseThatDidNotHappenIsRejected(_ phase: LatencyValidator.Phase) throws {
    let rejection = LatencyValidator(below: .seconds(1), phase: phase).validate(
      try response(ProbeTimings())
    ).rejection
    #expect(rejection?.reason == .noTiming)
    #expect(rejection?.found == "no time was measured, because this phase did not take place")
  }

  @Test func optionsAreDecoded() throws {
    func options(_ json: String) throws -> LatencyValidator.Options {
      try JSONDecoder().decode(LatencyValidator.Options.self, from: Data(json.utf8))
    }
    #expect(try options("\"2s\"") == .init(below: "2s"))
    #expect(
      try options("{\"below\":\"2s\",\"phase\":\"firstByte\"}") == .init(below: "2s", phase: .firstByte))
    #expect(throws: DecodingError.self) { try options("{\"below\":\"2s\",\"phase\":\"dns\"}") }
    for wrong in ["0s", "0.09ms", "soon", "2h"] {
      #expect(throws: InvalidInput.self) { try LatencyValidator(options: .init(below: wrong)) }
    }
  }

  @Test func itJudgesOnlyTheConnection() {
    let validator = LatencyValidator(below: .seconds(1))
    #expect(validator.judges == [])
    #expect(AllOf([validator]).judges == [] && AnyOf([validator]).judges == [] && Not(validator).judges == [])
  }
}
