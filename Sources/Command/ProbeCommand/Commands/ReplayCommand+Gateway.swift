import FixtureReplay
import ProbeCore
import CommandKit
import ReplayNetwork

/// `--gateway`: the replayed network for the clients of an interface.
extension ReplayCommand {
  /// Sets up a gateway, serves, and undoes all changes.
  ///
  /// - Parameters:
  ///   - fixtures: The fixtures to replay.
  ///   - interface: The name of the interface.
  ///   - options: The options of the command.
  ///   - context: The context of the command.
  ///   - serve: Serves until the task is cancelled.
  /// - Returns: The exit code.
  /// - Throws: The error that prevents the setup. All changes are undone; a message reports those that
  ///   remain.
  func serve(
    _ fixtures: [Fixture], on interface: String, _ options: Options, in context: CommandContext,
    _ serve: (ReplayServer, Gateway) async -> ExitCode
  ) async throws -> ExitCode {
    let facts = try GatewayInterface(interface, for: options.gatewayNetwork)
    guard let table = InterfaceTable(interface) else {
      throw InvalidInput("the interface \(Excerpt(interface)) cannot be named in a ruleset")
    }
    let gateway = Gateway(
      interface: facts, table: table, network: facts.network ?? options.gatewayNetwork ?? .usual,
      announcement: fixtures.lazy.compactMap(\.capport).first,
      processFile: "/run/probekit-gateway-\(String(UInt64.random(in: 0 ... .max), radix: 36)).pid")
    let taken = fixtures.flatMap(\.addresses).first { address in
      gateway.network.contains(address) && address != gateway.network.address
    }
    if let taken {
      throw InvalidInput(
        "the network \(gateway.network) contains \(taken), an address of the fixture",
        remedy: "give another one with --gateway-network")
    }
    let changes = try SystemGuard(environment: context.environment)
    do {
      for change in gateway.changesForAddress { try changes.make(change) }
      var settings = options.server
      settings.address = gateway.network.address
      settings.isTransparent = true
      let server = try ReplayServer(fixtures, options: settings)
      guard let targets = server.redirectTargets,
        var rules = RedirectRules(interface: interface, targets: targets)
      else { throw InvalidInput("the replay server takes no redirected connections") }
      rules.address = gateway.network.address
      rules.openPorts = [Gateway.dhcpPort]
      for change in gateway.changesForClients(rules) { try changes.make(change) }
      let code = await serve(server, gateway)
      return rollBack(changes, in: context) ? code : .unavailable
    } catch {
      _ = rollBack(changes, in: context)
      throw error
    }
  }

  /// - Returns: Whether all changes were undone.
  private func rollBack(_ changes: SystemGuard, in context: CommandContext) -> Bool {
    let left = changes.undo()
    for command in left { context.report("cannot undo a change of the system; run this: \(command)") }
    return left.isEmpty
  }
}
