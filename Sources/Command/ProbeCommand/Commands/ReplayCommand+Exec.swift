import FixtureReplay
import Glibc
import ProbeServer
import ProbeCore
import ProbeSystem
import CommandKit
import ReplayNetwork

/// `probekit replay --exec`: runs a command in a network that consists of the fixtures.
extension ReplayCommand {
  /// Creates the network from outside, and runs the command in it.
  func runOutside(_ options: Options, in context: CommandContext) async -> ExitCode {
    let name = options.command[0]
    switch ProgramFile.state(ofCommand: name, path: context.environment["PATH"]) {
    case .runnable: break
    case .notRunnable:
      context.report("--exec: \(Excerpt(name)) cannot be executed")
      return .commandNotExecutable
    case .missing:
      context.report("--exec: there is no command \(Excerpt(name))")
      return .commandNotFound
    }
    do throws(InvalidInput) {
      guard let program = ProgramFile.own else {
        throw InvalidInput("the file of this program has been removed", remedy: "start it again")
      }
      let enclosure = Enclosure(
        tools: try EnclosureTools(),
        environment: context.environment.map { "\($0.key)=\($0.value)" }.sorted(),
        program: [program] + Self.arguments(options))
      return ExitCode(rawValue: try await enclosure.run())
    } catch {
      context.report("\(error)")
      return .unavailable
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
      let router = EnclosureRouter(
        settings: settings, tools: try EnclosureTools(), network: NetworkPlan(for: fixtures),
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
