import BundledPlugins
import FixtureReplay
import ProbeCore

/// Runs probes that would leave this machine, routed to a replay server; with `--live` only their first hop
/// is routed.
///
/// It prints a line for each: its name, what it would reach outside, and its result.
@main struct Main {
  static func main() async throws {
    let server = try ReplayServer([Escape.fixture])
    defer { server.stop() }
    let isLive = CommandLine.arguments.contains("--live")
    let transports = try PluginRegistry.bundled.transports
    let prober = Prober(isLive ? transports : transports.routed(to: server), policy: .plaintextAllowed)
    for escape in try Escape.all {
      var request = escape.request
      if isLive {
        request.retries = 0
        request.timeout = .seconds(20)
        request.connectTo.append(
          ConnectTo(
            host: Escape.start, port: 80, targetHost: "127.0.0.1", targetPort: server.port(of: .http)))
      }
      print(escape.name, escape.reaches, await ending(of: request, prober))
    }
  }

  private static func ending(of request: ProbeRequest, _ prober: Prober) async -> String {
    do throws(ProbeFailure) {
      let response = try await prober.probe(request)
      return response.status.map { "\($0)" } ?? "connected"
    } catch {
      return "\(error.reason)"
    }
  }
}
