import ConnectivityMonitor
import ProbeCore
import ProbePipeline
import Testing

@Suite struct PercentageTests {
  // The values are from Connectivity's own tests.
  @Test(arguments: [(50, 50), (0, 0), (100, 100), (-0.1, 0), (100.1, 100), (.nan, 0), (.infinity, 100)])
  func areWithinBounds(_ given: Double, _ value: Double) {
    #expect(Percentage(given).value == value)
  }

  @Test(arguments: [(2, 10, 20), (0, 1, 0), (1, 0, 0), (0, 0, 0), (3, 2, 100), (1, 4, 25)])
  func areComputedFromCounts(_ part: Int, _ total: Int, _ value: Double) {
    #expect(Percentage(part, of: total).value == value)
  }

  @Test func areCompared() {
    #expect(!(Percentage(0) < Percentage(0)))
    #expect(Percentage(0) < Percentage(0.1))
    #expect(Percentage(100.1) == 100)
  }

  @Test(arguments: [(Percentage(1, of: 3), 1, 3), (50, 1, 2), (100, 2, 2), (0.000_000_1, 1, 5)])
  func areThresholds(_ percentage: Percentage, _ needed: Int, _ total: Int) throws {
    #expect(try Threshold(percentage).needed(of: total) == needed)
  }

  @Test func zeroPercentIsNoThreshold() {
    let error = #expect(throws: InvalidInput.self) { try Threshold(Percentage(0)) }
    #expect(error?.message == "a success threshold of 0 % would always be met")
  }
}
