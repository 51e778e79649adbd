import BundledPlugins
import ConnectivityMonitor
import FixtureReplay
import ProbeCore
import ProbePipeline

/// What a monitor tells while somebody logs in to a portal.
func verdictsOfALogin() async throws -> [Verdict] {
  let network = try ReplayedNetwork(lobby, with: .bundled)
  let transports = network.plugins.transports
  let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/") }.policy(.plaintextAllowed)
  var settings = MonitorSettings()
  // The replay server is on loopback: no way to the Internet is needed.
  settings.requiresRoute = false
  let connectivity = Connectivity(
    plan: try pipeline.plan(over: transports), over: transports, settings: settings)
  var verdicts: [Verdict] = []
  for await state in connectivity.changes {
    if let verdict = state.verdict { verdicts.append(verdict) }
    if state.isConnected { break }
    guard state.portal != nil else { continue }
    _ = try await network.open("http://login.example/") { $0.http.method = "POST" }
    // Rather than wait for the next one.
    _ = await connectivity.check()
  }
  return verdicts
}
