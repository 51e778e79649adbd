import ProbeCore
import ProbePipeline
import Testing

@Suite struct ThresholdTests {
  @Test(arguments: [
    ("75%", "75 %"), ("100 %", "100 %"), ("33.3%", "33.3 %"), ("0.000001%", "0.000001 %"),
    ("50.50%", "50.5 %"),
    ("3", "3"), ("007", "7"), ("12.0", "12"),
  ])
  func thresholdsAreParsedAndFormatted(_ text: String, _ expected: String) throws {
    #expect(try Threshold(text).description == expected)
  }

  @Test(arguments: [
    ("", "the threshold \"\" is neither a percentage nor a count"),
    ("half", "the threshold \"half\" is neither a percentage nor a count"),
    ("-5%", "the threshold \"-5%\" is neither a percentage nor a count"),
    ("5.%", "the threshold \"5.%\" is neither a percentage nor a count"),
    ("5 of 6", "the threshold \"5 of 6\" is neither a percentage nor a count"),
    ("٣%", "the threshold \"٣%\" is neither a percentage nor a count"),
    ("0%", "the threshold \"0%\" is not above 0 % and at most 100 %"),
    ("0.0 %", "the threshold \"0.0 %\" is not above 0 % and at most 100 %"),
    ("100.1%", "the threshold \"100.1%\" is not above 0 % and at most 100 %"),
    ("0", "a threshold of 0 would always be met"),
    ("2.5", "the number has too many decimal places"),
    ("1.0000001%", "the number has too many decimal places"),
    ("99999999999999999999%", "the number is too large"),
  ])
  func invalidThresholdsAreExplained(_ text: String, _ message: String) {
    let error = #expect(throws: InvalidInput.self) { try Threshold(text) }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    ("50%", 1, 2, true), ("50%", 1, 3, false), ("50%", 2, 3, true),
    ("33.3%", 1, 3, true), ("33.4%", 1, 3, false), ("33.333333%", 1, 3, true), ("33.333334%", 1, 3, false),
    ("33.3%", 333, 1000, true), ("33.3%", 332, 1000, false),
    ("66.7%", 2, 3, false), ("66.6%", 2, 3, true),
    ("20%", 2, 10, true), ("20%", 1, 10, false), ("0.1%", 0, 1, false), ("0.1%", 1, 1000, true),
    ("100%", 99_999, 100_000, false), ("100%", 100_000, 100_000, true),
    ("3", 3, 5, true), ("3", 2, 5, false),
    ("1%", 0, 0, false), ("1", 0, 0, false), ("100%", 0, 0, false),
  ])
  func thresholdsAreComparedExactly(_ text: String, _ accepted: Int, _ total: Int, _ isMet: Bool) throws {
    #expect(try Threshold(text).isMet(accepted: accepted, of: total) == isMet)
  }

  @Test func theNeededCountIsTheMinimum() throws {
    for tenths in stride(from: 1, through: 1000, by: 7) {
      let threshold = try Threshold("\(tenths / 10).\(tenths % 10)%")
      for total in 1...100 {
        let needed = try #require((0...total).first { 1000 * $0 >= tenths * total })
        #expect(threshold.needed(of: total) == needed)
        #expect(!threshold.isMet(accepted: needed - 1, of: total))
        #expect(threshold.isMet(accepted: needed, of: total))
      }
    }
    #expect(try Threshold("100%").needed(of: .max) == .max)
  }

  @Test func aCountAboveTheTotalIsOutOfReach() throws {
    #expect(try !Threshold.count(3).isReachable(of: 2))
    #expect(try Threshold.count(2).isReachable(of: 2))
    #expect(try Threshold.percent(100).isReachable(of: 1))
    #expect(throws: InvalidInput.self) { try Threshold.percent(101) }
    #expect(throws: InvalidInput.self) { try Threshold.percent(0) }
    #expect(throws: InvalidInput.self) { try Threshold.count(0) }
    #expect(try Threshold.percent(100) == .all)
  }
}
