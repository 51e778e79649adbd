import BundledPlugins
import CUsage
import FixtureReplay
import FoundationEssentials
import Glibc
import ProbeCore

/// Replay servers for measurements.
///
/// `replay-bench serve FILE [ROUTES]` responds to every request with the bytes of a file until it is ended.
/// ROUTES is the number of routes for other hosts that it tries first. It writes one line of JSON: the ports.
///
/// `replay-bench cycles COUNT` starts and stops COUNT servers, and probes each once over HTTPS. It writes one
/// line of JSON: the seconds, the number of failed probes, and the growth in threads and descriptors of the
/// process.
@main
struct ReplayBench {
  @concurrent
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "serve" where rest.count == 1: try serve(rest[0], routes: 0)
    case "serve" where rest.count == 2:
      guard let routes = Int(rest[1]), routes >= 0 else { failUsage() }
      try serve(rest[0], routes: routes)
    case "cycles" where rest.count == 1:
      guard let count = Int(rest[0]), count > 0 else { failUsage() }
      try await cycle(count)
    default: failUsage()
    }
  }

  private static func serve(_ file: String, routes: Int) throws {
    let page = ReplayResponse.send(Array(try Data(contentsOf: URL(filePath: file))))
    let others = (0..<routes).map { number in
      ReplayRoute("other \(number)", when: RouteCondition(host: "host\(number).example"), response: page)
    }
    let server = try ReplayServer([
      Fixture(name: "page", routes: others + [ReplayRoute("page", response: page)])
    ])
    print("{\"http\":\(server.port(of: .http)),\"https\":\(server.port(of: .https))}")
    fflush(nil)
    while true { pause() }
  }

  private static func failUsage() -> Never {
    let usage = "usage: replay-bench serve FILE [ROUTES] | cycles COUNT\n"
    unsafe write(STDERR_FILENO, usage, usage.utf8.count)
    exit(64)
  }
}

extension ReplayBench {
  private static func cycle(_ count: Int) async throws {
    let transports = try PluginRegistry.bundled.transports
    var failed = 0
    // Afterwards, the runtime and the transport have all the threads and descriptors that they keep.
    for _ in 0..<10 where try await !startAndStop(transports) { failed += 1 }
    let before = (threads: try entries(of: "/proc/self/task"), descriptors: try entries(of: "/proc/self/fd"))
    let start = usage_now()
    for _ in 0..<count where try await !startAndStop(transports) { failed += 1 }
    let end = usage_now()
    let after = (threads: try entries(of: "/proc/self/task"), descriptors: try entries(of: "/proc/self/fd"))
    print(
      "{\"seconds\":\(end.seconds - start.seconds),\"failed\":\(failed)"
        + ",\"threads\":\(after.threads - before.threads)"
        + ",\"descriptors\":\(after.descriptors - before.descriptors)}")
  }

  /// Starts a server, probes it over TLS and stops it; returns whether the response was right.
  private static func startAndStop(_ transports: TransportRegistry) async throws -> Bool {
    let noContent = ReplayResponse.respond(ComposedResponse(status: 204))
    let server = try ReplayServer([Fixture(name: "cycle", routes: [ReplayRoute("all", response: noContent)])])
    defer { server.stop() }
    let request = ProbeRequest(try ProbeURL("https://cycle.example/"))
    let response = try? await Prober(transports.routed(to: server)).probe(request)
    return response?.status == 204
  }

  private static func entries(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
}
