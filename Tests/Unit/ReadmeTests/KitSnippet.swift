import ProbeCore
import ProbeTesting
import Testing

@Suite struct PluginTests {
  @Test func theValidatorConforms() throws {
    try ValidatorConformance(HealthValidator.self).verify()
  }

  @Test func theTransportConforms() async throws {
    let transport = MemoryTransport(responses: ["shop": "shop: up\n", "mill": "mill: down\n"])
    let scenarios: [TransportScenario] = [
      .responds(ProbeRequest(try ProbeURL("memory://shop/")), with: "shop: up\n"),
      .responds(ProbeRequest(try ProbeURL("memory://mill/")), with: "mill: down\n"),
      .refuses(ProbeRequest(try ProbeURL("memory://nowhere/")), reason: .noSuchHost),
    ]
    for report in try await TransportConformance(transport, scenarios: scenarios).verify() {
      print(report)
    }
  }
}
