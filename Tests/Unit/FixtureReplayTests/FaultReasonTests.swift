import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import TestSupport
import Testing

/// All faults on the wire, with the whole transport: each fault results in its own reason code.
@Suite struct FaultReasonTests {
  private static let folder = projectFile("fixtures/faults").path

  /// On separate threads: a hundred handshakes in a row would delay other tests, and be delayed by them.
  private static let transports = Result { try PluginRegistry.bundled(threads: nil).transports }

  /// Servers cost descriptors, which other tests need too.
  private static let turns = Turns(16)

  @Test(arguments: FaultRow.all.filter { $0.http != nil }, [HTTPClient.own, .curl])
  func overHTTP(_ row: FaultRow, _ client: HTTPClient) async throws {
    let expected = client == .curl ? row.byCurl ?? row.http : row.http
    let ending = try await Self.ending(of: row, "http", client, expecting: expected)
    #expect(ending == expected)
  }

  @Test(arguments: FaultRow.all.filter { $0.https != nil }, [HTTPClient.own, .curl])
  func overHTTPS(_ row: FaultRow, _ client: HTTPClient) async throws {
    let expected = client == .curl ? row.byCurl ?? row.https : row.https
    let ending = try await Self.ending(of: row, "https", client, expecting: expected)
    #expect(ending == expected)
  }

  @Test func everyFixtureIsInTheTable() throws {
    let fixtures = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(Set(FaultRow.all.map(\.name)) == Set(fixtures))
  }

  @Test func everyFaultAndEveryModeOfTLSHasAFixture() throws {
    let loaded = FixtureLoader().load([Self.folder]).compactMap(\.fixture)
    let faults = loaded.flatMap(\.routes).compactMap { $0.fault?.kind }
    #expect(Set(faults) == Set(ReplayFault.Kind.allCases))
    let modes = loaded.flatMap(\.tls.rules).map(\.value)
    #expect(Set(modes) == Set(TLSMode.allCases).subtracting([.valid]))
    let listeners = loaded.flatMap(\.listeners.values)
    #expect(Set(listeners) == Set(ListenerMode.allCases).subtracting([.open]))
  }

  /// Probes a fault, and returns the result.
  ///
  /// A probe that must time out has a short timeout; on a loaded machine, one that times out in an earlier
  /// phase than expected is repeated with a longer timeout.
  private static func ending(
    of row: FaultRow, _ scheme: String, _ client: HTTPClient, expecting expected: FaultRow.Ending?
  ) async throws -> FaultRow.Ending {
    let loaded = FixtureLoader().load(["\(folder)/\(row.name)"])
    try #require(loaded.flatMap(\.findings).isEmpty, "\(loaded.flatMap(\.findings))")
    await turns.take()
    defer { turns.giveBack() }
    let server = try ReplayServer(loaded.compactMap(\.fixture))
    defer { server.stop() }
    let routed = try transports.get().routed(to: server)
    let prober = Prober(routed, policy: row.policy)
    var request = ProbeRequest(try ProbeURL("\(scheme)://fault.example/"))
    row.change(&request)
    request.http.client = client
    let phases: [ReasonCode] = [
      .resolveTimeout, .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout,
    ]
    let expectedPhase = expected?.reason.flatMap(phases.firstIndex)
    request.timeout = expectedPhase == nil ? .seconds(60) : .milliseconds(300)
    while true {
      // As in a run: between two hops it uses its connection's executor.
      let executor = routed[request.url.scheme]?.executors.first
      let ending: FaultRow.Ending = await withTaskExecutorPreference(executor) { [request] in
        await Self.ending(of: request, prober)
      }
      // Before that phase, or in it before the expected data was received.
      let isEarly =
        ending.reason.flatMap(phases.firstIndex).map { $0 < expectedPhase ?? 0 } ?? false
        || (ending.reason == expected?.reason && ending.status != expected?.status && expectedPhase != nil)
      guard isEarly, request.timeout < .seconds(60) else { return ending }
      request.timeout *= 3
    }
  }

  private static func ending(of request: ProbeRequest, _ prober: Prober) async -> FaultRow.Ending {
    do throws(ProbeFailure) {
      let response = try await prober.probe(request)
      // The status that a pipeline requires of every response; here also of the response after redirects.
      let status = response.status ?? 0
      let reason: ReasonCode? = (200..<300).contains(status) ? nil : .httpStatus
      return FaultRow.Ending(reason: reason, status: status, isCut: response.bodyIsCut)
    } catch {
      return FaultRow.Ending(reason: error.reason, status: error.partial?.status)
    }
  }
}
