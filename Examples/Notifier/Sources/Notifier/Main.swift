import ConnectivityMonitor
import Foundation
import NotifierUses
import ProbeKit
import ProbeReplay

/// Each use of `Connectivity`, on networks that are replayed on loopback: nothing leaves this machine.
@main struct Main {
  static func main() async throws {
    let fixtures = CommandLine.arguments.dropFirst().first ?? "../../fixtures"
    let open = try ReplayedNetwork("\(fixtures)/worlds/open", with: .bundled)
    let captive = try ReplayedNetwork("\(fixtures)/worlds/captive", with: .bundled)

    try await oneOff(on: open, captive)
    try await configurations(on: open)
    try await notifier(on: open)
    try await portal(on: captive)
  }

  /// A check without a notifier.
  static func oneOff(on networks: ReplayedNetwork...) async throws {
    for network in networks {
      let state = await (try connectivity(on: network)).check()
      print("once, \(network): \(describe(state))")
    }
  }

  /// The same question, put in several ways.
  static func configurations(on network: ReplayedNetwork) async throws {
    let all: [(String, ConnectivityConfiguration)] = [
      ("contains", try Configurations.contains("Success")),
      ("contains nonsense", try Configurations.contains("nonsense")),
      ("per URL", try Configurations.perURL()),
      ("custom validator", Configurations.custom), ("polling", Configurations.polling),
      ("intranet", Configurations.intranet(token: "t0ken")),
    ]
    for (name, configuration) in all {
      let state = await (try connectivity(on: network, configuration)).check()
      print("\(name): \(state.isConnected ? "connected" : "not connected")")
    }
    do {
      let plain = ConnectivityConfiguration().configureConnectivity(urls: ["http://captive.apple.com/"])
      _ = try connectivity(on: network, plain)
    } catch {
      print("an unencrypted URL: \(error)")
    }
  }

  /// Callbacks, notifications and the sequence, side by side.
  static func notifier(on network: ReplayedNetwork) async throws {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let connectivity = try connectivity(on: network)
    let observer = observeNotifications(of: connectivity) { continuation.yield($0) }
    startWithCallbacks(connectivity) { continuation.yield($0) }
    if let state = await waitForInternet(connectivity) { print("sequence: \(state.status)") }
    var reported: [String] = []
    for await line in lines {
      reported.append(line)
      if reported.count == 2 { break }
    }
    for line in reported.sorted() { print(line) }
    connectivity.stopNotifier()
    await connectivity.stopped()
    _ = observer
    print("running: \(connectivity.isRunning)")
  }

  /// Connectivity's own question cannot find the login page, but a pipeline with a plain probe can.
  static func portal(on network: ReplayedNetwork) async throws {
    let pipeline = Pipeline("portal") {
      ProbeSet("plain", "http://connectivitycheck.gstatic.com/generate_204")
    }.policy(.plaintextAllowed)
    let state = await (try connectivity(on: network, ConnectivityConfiguration(pipeline))).check()
    print("portal: \(describe(state))")
  }

  /// A monitor whose every request is routed to the replayed network.
  static func connectivity(
    on network: ReplayedNetwork, _ configuration: ConnectivityConfiguration = Configurations.usual
  ) throws -> Connectivity {
    // This machine need not have a way to the Internet.
    try Connectivity(configuration.configureSettings { $0.requiresRoute = false }, plugins: network.plugins)
  }
}
