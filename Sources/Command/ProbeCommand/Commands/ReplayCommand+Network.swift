import CommandKit
import FixtureReplay
import Glibc
import ProbeCore
import ProbeServer
import ProbeSystem
import ReplayNetwork

/// `probekit replay --exec`: runs a command in a network that consists of the fixtures.
extension ReplayCommand {
  /// Creates the network from outside, and runs the command in it.
  func runOutside(_ options: Options, in context: CommandContext) async -> ExitCode {
    let name = options.command[0]
    switch ProgramFile.state(ofCommand: name, path: context.environment["PATH"]) {
    case .runnable: break
    case .notRunnable:
      return context.ended(.commandNotExecutable, because: "--exec: \(Excerpt(name)) cannot be executed")
    case .missing:
      return context.ended(.commandNotFound, because: "--exec: there is no command \(Excerpt(name))")
    }
    do throws(InvalidInput) {
      guard let program = ProgramFile.own else {
        throw InvalidInput("the file of this program has been removed", remedy: "start it again")
      }
      let network = IsolatedNetwork(
        tools: try IsolatedNetworkTools(),
        environment: context.environment.map { "\($0.key)=\($0.value)" }.sorted(),
        program: [program] + Self.arguments(options))
      return ExitCode(rawValue: try await network.run())
    } catch {
      return context.ended(.unavailable, because: "\(error)")
    }
  }

  /// The arguments that pass the options to the router.
  static func arguments(_ options: Options) -> [String] {
    (options.isVerbose ? ["--verbose"] : []) + (options.authorityFile.map { ["--ca-out=\($0)"] } ?? [])
      + (options.controlAddress.map { ["--control=\($0)"] } ?? [])
      + (options.controlTokenFile.map { ["--control-token-file=\($0)"] } ?? [])
      + options.paths + ["--exec", "--"] + options.command
  }

  /// Serves the fixtures as the network's router, and runs the command.
  func runInside(
    _ options: Options, _ settings: RouterSettings, _ fixtures: [Fixture], in context: CommandContext
  ) async -> ExitCode {
    do {
      let router = IsolatedNetworkRouter(
        settings: settings, tools: try IsolatedNetworkTools(), network: NetworkPlan(for: fixtures),
        environment: context.environment)
      try router.prepare()
      let server = try Self.transparentServer(fixtures, options.server)
      defer { server.stop() }
      let control = try RunningControl(options, of: server, in: context)
      defer { control?.service.stop() }
      if let path = options.authorityFile {
        _ = try AuthorityFile(server.authority, at: path, temporaryFolder: nil)
      }
      // The control socket may be inside the covered folder.
      defer { router.uncover() }
      try router.setUp(server)
      if options.isVerbose {
        context.report(
          "the network has the router \(router.network.router) and the address \(router.network.client)")
      }
      let end = await withTaskGroup(of: Void.self, returning: ProcessEnd.self) { group in
        group.addTask { await Self.show(server.journal, all: options.isVerbose, in: context) }
        let end = await router.run(options.command)
        group.cancelAll()
        await group.waitForAll()
        return end
      }
      return ExitCode(rawValue: end.exitCode)
    } catch {
      context.report("\(error)")
      return (error as? ReplayError)?.code == .conflict ? .badInput : .unavailable
    }
  }

  /// A server on all addresses of both families or, if IPv6 is not available, of IPv4 only.
  private static func transparentServer(
    _ fixtures: [Fixture], _ options: ReplayOptions
  ) throws(ReplayError) -> ReplayServer {
    var options = options
    options.isTransparent = true
    options.address = IPAddress(v6: 0)
    do throws(ReplayError) {
      return try ReplayServer(fixtures, options: options)
    } catch {
      guard error.code != .conflict else { throw error }
      options.address = IPAddress(v4: 0)
      return try ReplayServer(fixtures, options: options)
    }
  }
}

extension ExitCode {
  /// The command of `--exec` exists but cannot be executed, as in a shell.
  static let commandNotExecutable = ExitCode(rawValue: 126)
  /// The command of `--exec` does not exist, as in a shell.
  static let commandNotFound = ExitCode(rawValue: 127)
}

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
    let changer = try SystemChanger(environment: context.environment)
    do {
      for change in gateway.changesForAddress { try changer.make(change) }
      var settings = options.server
      settings.address = gateway.network.address
      settings.isTransparent = true
      let server = try ReplayServer(fixtures, options: settings)
      guard let targets = server.redirectTargets,
        var rules = RedirectRules(interface: interface, targets: targets)
      else { throw InvalidInput("the replay server takes no redirected connections") }
      rules.address = gateway.network.address
      rules.openPorts = [Gateway.dhcpPort]
      for change in gateway.changesForClients(rules) { try changer.make(change) }
      let code = await serve(server, gateway)
      return rollBack(changer, in: context) ? code : .unavailable
    } catch {
      _ = rollBack(changer, in: context)
      throw error
    }
  }

  /// Undoes the changes of the system, and reports what cannot be undone.
  ///
  /// - Returns: Whether all changes were undone.
  private func rollBack(_ changer: SystemChanger, in context: CommandContext) -> Bool {
    let left = changer.undo()
    for command in left { context.report("cannot undo a change of the system; run this: \(command)") }
    return left.isEmpty
  }
}
