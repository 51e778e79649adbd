import BundledPlugins
import ConnectivityMonitor
import FixtureReplay
import ProbeCore
import ProbePipeline

/// The verdicts of a monitor before and after a login to a portal.
func verdictsOfALogin() async throws -> [Verdict] {
  let network = try ReplayedNetwork(lobby, with: .bundled)
  let transports = network.plugins.transports
  let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/") }.policy(.plaintextAllowed)
  var settings = MonitorSettings()
  // The replay server is on loopback: no route to the Internet is needed.
  settings.requiresRoute = false
  let connectivity = Connectivity(
    plan: try pipeline.plan(over: transports), over: transports, settings: settings)
  var verdicts: [Verdict] = []
  for await state in connectivity.changes {
    if let verdict = state.verdict { verdicts.append(verdict) }
    if state.isConnected { break }
    guard state.portal != nil else { continue }
    _ = try await network.open("http://login.example/") { $0.http.method = "POST" }
    // Instead of waiting for the next check.
    _ = await connectivity.check()
  }
  return verdicts
}
