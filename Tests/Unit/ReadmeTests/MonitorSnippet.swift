import ConnectivityMonitor
import EngineProfiles
import PortalAnalysis
import ProbeCore
import ProbePipeline

/// Waits for Internet access, and reports the obstacles until then.
func waitForInternet(
  with plugins: PluginRegistry, settings: MonitorSettings = MonitorSettings(), report: (String) -> Void
) async throws {
  guard let plan = try EngineProfile.named("default")?.plan(with: plugins) else { return }
  let connectivity = Connectivity(plan: plan, over: plugins.transports, settings: settings)
  for await state in connectivity.changes {
    if state.isConnected { return }
    let name = state.currentInterface?.name ?? "no interface"
    report("\(state.status) by \(name): \(state.evidence.first?.summary ?? "nothing is known yet")")
    if let portal = state.portal { report("log in at \(portal.loginURL)") }
  }
}
