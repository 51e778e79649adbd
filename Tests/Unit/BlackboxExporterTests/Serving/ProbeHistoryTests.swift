import ProbeCore
import Testing

@testable import BlackboxExporter

/// The history of probes.
@Suite struct ProbeHistoryTests {
  private static func report(
    _ target: String = "target", module: String = "module", fails: Bool = false
  ) throws -> ProbeReport {
    ProbeReport(
      target: target, module: try .http(module), failure: fails ? ProbeFailure(.httpStatus, "") : nil,
      log: [], metrics: [], duration: .zero)
  }

  private static func add(_ count: Int, fails: Bool, to history: ProbeHistory) throws {
    for _ in 0..<count { history.add(try report(fails: fails)) }
  }

  @Test func theLatestProbesAreKept() throws {
    let history = ProbeHistory(limit: 3)
    try Self.add(4, fails: false, to: history)
    #expect(history.all.map(\.id) == [1, 2, 3])
  }

  @Test func failuresAreKeptLonger() throws {
    let history = ProbeHistory(limit: 3)
    try Self.add(3, fails: false, to: history)
    try Self.add(3, fails: true, to: history)
    #expect(history.all.map(\.id) == [3, 4, 5])
    try Self.add(3, fails: true, to: history)
    #expect(history.all.map(\.id) == Array(3...8))
    // Newer failures replace older ones.
    try Self.add(3, fails: true, to: history)
    #expect(history.all.map(\.id) == Array(6...11))
    try Self.add(3, fails: false, to: history)
    #expect(history.all.map(\.id) == Array(9...14))
    // Successes do not displace failures.
    try Self.add(30, fails: false, to: history)
    #expect(history.all.map(\.id) == [9, 10, 11, 42, 43, 44])
  }

  @Test func aProbeIsFoundByItsID() throws {
    let history = ProbeHistory(limit: 2)
    history.add(try Self.report("a"))
    history.add(try Self.report("b", fails: true))
    #expect(history.entry(0)?.report.target == "a")
    #expect(history.entry(1)?.report.target == "b")
    #expect(history.entry(2) == nil && history.entry(-1) == nil)
    try Self.add(2, fails: false, to: history)
    #expect(history.entry(0) == nil)
    #expect(history.entry(1)?.report.target == "b")
  }

  @Test func theLatestProbeOfATargetIsFound() throws {
    let history = ProbeHistory(limit: 3)
    history.add(try Self.report("a", module: "first"))
    history.add(try Self.report("b", module: "second", fails: true))
    history.add(try Self.report("b", module: "first", fails: true))
    #expect(history.entry(target: "a", module: nil)?.id == 0)
    #expect(history.entry(target: "b", module: nil)?.id == 2)
    #expect(history.entry(target: "c", module: nil) == nil)
  }

  @Test func theLatestProbeOfATargetAndAModuleIsFound() throws {
    let history = ProbeHistory(limit: 3)
    history.add(try Self.report("a", module: "first"))
    history.add(try Self.report("b", module: "second", fails: true))
    history.add(try Self.report("b", module: "first", fails: true))
    #expect(history.entry(target: "b", module: "second")?.id == 1)
    #expect(history.entry(target: "b", module: "third") == nil)
    #expect(history.entry(target: "a", module: "second") == nil)
  }

  @Test func nothingIsKeptIfTheLimitIsZero() throws {
    let history = ProbeHistory(limit: 0)
    try Self.add(2, fails: true, to: history)
    #expect(history.all.isEmpty)
  }
}
