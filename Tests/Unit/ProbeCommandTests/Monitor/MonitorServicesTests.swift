import ConnectivityMonitor
import Foundation
import ProbeCore
import ProbeBase
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeCommand

/// A monitor of services: it reports the sets, not the network.
@Suite struct MonitorServicesTests {
  /// A check in which these sets are met or not; nil for a fallback that was not needed.
  private static func result(_ sets: KeyValuePairs<String, Bool?>) -> RunResult {
    let results = sets.map { name, isMet in
      var probe = ProbeResult(
        url: "https://\(name).example/",
        outcome: isMet == nil ? .skipped : isMet == true ? .accepted : .failed,
        reason: isMet == false ? .httpStatus : nil, detail: isMet == false ? "expected 200, found 503" : nil)
      probe.name = "front"
      var set = SetResult(name: name, threshold: .all, isNeeded: isMet != nil, probes: [probe])
      set.labels = ["team": "web"]
      return set
    }
    let isHealthy = sets.allSatisfy { $0.value != false }
    return RunResult(
      pipeline: "office", verdict: isHealthy ? .healthy : .unhealthy, portal: nil, evidence: [],
      sets: results,
      duration: .zero)
  }

  private static func changes(_ states: inout ServiceStates, _ sets: KeyValuePairs<String, Bool?>) -> [String]
  {
    states.changes(after: result(sets), at: MonitorSamples.noon).map { change in
      "\(change.set.name): \(ServiceChange.word(change.wasMet)) -> \(ServiceChange.word(change.isMet))"
    }
  }

  @Test func eachSetChangesIndependently() {
    var states = ServiceStates(rise: 1, fall: 1)
    #expect(Self.changes(&states, ["shop": true, "wiki": false]) == ["shop:  -> met", "wiki:  -> unmet"])
    #expect(Self.changes(&states, ["shop": true, "wiki": false]) == [])
    #expect(Self.changes(&states, ["shop": true, "wiki": true]) == ["wiki: unmet -> met"])
    #expect(Self.changes(&states, ["shop": false, "wiki": true]) == ["shop: met -> unmet"])
  }

  @Test func riseAndFallAreCountedPerSet() {
    var states = ServiceStates(rise: 2, fall: 3)
    #expect(Self.changes(&states, ["a": true, "b": true]).count == 2)
    #expect(Self.changes(&states, ["a": false, "b": true]) == [])
    #expect(Self.changes(&states, ["a": false, "b": false]) == [])
    #expect(Self.changes(&states, ["a": false, "b": true]) == ["a: met -> unmet"])
    #expect(Self.changes(&states, ["a": true, "b": false]) == [])
    #expect(Self.changes(&states, ["a": false, "b": false]) == [], "the rise of a begins anew")
    #expect(Self.changes(&states, ["a": true, "b": false]) == ["b: met -> unmet"])
    #expect(Self.changes(&states, ["a": true, "b": false]) == ["a: unmet -> met"])
  }

  @Test func anUnneededSetKeepsItsState() {
    var states = ServiceStates(rise: 1, fall: 1)
    #expect(Self.changes(&states, ["a": true, "fallback": nil]) == ["a:  -> met"])
    #expect(
      Self.changes(&states, ["a": false, "fallback": true]) == ["a: met -> unmet", "fallback:  -> met"])
    #expect(Self.changes(&states, ["a": true, "fallback": nil]) == ["a: unmet -> met"])
    #expect(Self.changes(&states, ["a": true]) == [])
    #expect(Self.changes(&states, ["a": true, "fallback": true]) == ["fallback:  -> met"], "it was gone")
  }

  private static func change(_ set: String, _ isMet: Bool, from wasMet: Bool? = nil) throws -> ServiceChange {
    let result = result([set: isMet])
    return ServiceChange(
      time: MonitorSamples.noon, result: result, set: try #require(result.sets.first), isMet: isMet,
      wasMet: wasMet)
  }

  /// While a command runs, the newest change of each set is kept.
  @Test func changesOfAllSetsAreKeptWhileACommandRuns() throws {
    var queue = ChangeQueue()
    #expect(queue.add(try Self.change("a", true))?.service?.set.name == "a")
    #expect(queue.add(try Self.change("b", true)) == nil)
    #expect(queue.add(try Self.change("c", false)) == nil)
    #expect(queue.add(try Self.change("b", false, from: true)) == nil)
    #expect(queue.add(try Self.change("a", false, from: true)) == nil)
    #expect(queue.add(try Self.change("a", true, from: false)) == nil)
    let second = try #require(queue.finished()?.service)
    #expect(second.set.name == "b" && !second.isMet && second.wasMet == nil)
    #expect(queue.finished()?.service?.set.name == "c")
    #expect(queue.finished() == nil, "a is as it was for its last command")
    #expect(queue.add(try Self.change("b", true, from: false))?.service?.wasMet == false)
  }

  @Test func everyFactIsAVariable() throws {
    let facts = ChangeFacts(try Self.change("shop", false, from: true), pipeline: "office.yaml")
    #expect(
      Dictionary(uniqueKeysWithValues: facts.variables.map { ($0, $1) }) == [
        "PROBEKIT_SET": "shop", "PROBEKIT_STATE": "unmet", "PROBEKIT_PREVIOUS_STATE": "met",
        "PROBEKIT_VERDICT": "unhealthy", "PROBEKIT_LOGIN_URL": "", "PROBEKIT_PIPELINE": "office.yaml",
        "PROBEKIT_TIME": "2026-11-22T12:00:00.000Z", "PROBEKIT_LABEL_team": "web", "PROBEKIT_FAILED": "front",
        "PROBEKIT_EVIDENCE":
          "the set \"shop\" is not met: 0 of 1 accepted, all needed; https://shop.example/: http.status: "
          + "expected 200, found 503",
      ])
  }

  private static let file = """
    version: 1
    name: office
    question: services
    sets: [{ name: shop, urls: [https://shop.example/] }, { name: wiki, urls: [https://wiki.example/] }]

    """

  private static func check(_ sets: KeyValuePairs<String, Bool?>) -> MonitorEvent {
    let result = result(sets)
    let state = ConnectivityState(
      status: .connectedViaWiFi, verdict: result.verdict, evidence: result.evidence,
      currentInterface: MonitorSamples.wifi, result: result)
    return .checked(ConnectivityCheck(result: result, state: state, nextCheck: nil))
  }

  @Test(arguments: ["text", "ndjson"])
  func setsAreReportedButNotTheNetwork(_ format: String) async throws {
    let folder = try TemporaryFolder(["office.yaml": Self.file])
    let run = try await MonitorRun(["--format", format, "DIR/office.yaml"], in: folder, isTerminal: true) {
      fake in
      fake.send(.changed(MonitorSamples.determining))
      fake.send(Self.check(["shop": true, "wiki": false]))
      fake.send(.changed(MonitorSamples.offline))
      fake.send(Self.check(["shop": false, "wiki": false]))
      fake.send(Self.check(["shop": false, "wiki": false]))
      // The events are handled in order.
      fake.send(.commandOutput("all was handled"))
      await fake.errors(contain: "all was handled")
      #expect(!fake.settings.withLock(\.requiresRoute), "services may be in the local network")
    }
    try #expect(run.output == Snapshot("monitor-services", is: run.output, extension: format).text)
  }
}
