import FixtureReplay
import ProbeOpenSSL
import ProbeCore
import ProbeReporting
import SourceDocuments

/// `probekit replay`: serves fixtures until it is stopped.
struct ReplayCommand: Subcommand {
  /// The command-line options of `probekit replay`.
  struct Options: Sendable {
    /// The fixtures, or folders that contain fixtures.
    var paths: [String] = []
    /// The server's settings.
    var server = ReplayOptions()
    /// The file for the authority's certificate and key, or nil for a temporary file with the certificate
    /// only.
    var authorityFile: String?
    /// The interface whose clients are in the replayed network, or nil for none.
    var gateway: String?
    /// The network of the gateway, or nil for that of the interface.
    var gatewayNetwork: GatewayNetwork?
    /// Whether to print every request, not only those without an answer.
    var isVerbose = false

    /// What is wrong with the options together.
    var conflicts: [InvalidInput] {
      guard gateway == nil else {
        return server.address == ReplayOptions().address
          ? []
          : [
            InvalidInput(
              "--listen cannot be combined with --gateway", remedy: "give the address with --gateway-network")
          ]
      }
      return gatewayNetwork == nil
        ? [] : [InvalidInput("--gateway-network has no effect", remedy: "add --gateway INTERFACE")]
    }
  }

  /// The clock that measures the interval between checks of the fixtures' files.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Starts the server, prints its addresses, and serves until the task is cancelled.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let loaded = FixtureLoader().load(options.paths)
    let reload = FixtureReload(paths: options.paths, loaded: loaded, clock: clock)
    let findings = loaded.flatMap(\.findings)
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding.description) }
      return .badInput
    }
    do {
      let fixtures = loaded.compactMap(\.fixture)
      if let interface = options.gateway {
        return try await serve(fixtures, on: interface, options, in: context) { server, gateway in
          await serve(server, loaded, reload, options, gateway: gateway, in: context)
        }
      }
      let server = try ReplayServer(fixtures, options: options.server)
      if !options.server.address.isLoopback {
        context.report(
          "listening on \(options.server.address): other machines can reach the replay server")
      }
      return await serve(server, loaded, reload, options, gateway: nil, in: context)
    } catch let error as ReplayError {
      context.report("\(error)")
      return error.code == .conflict ? .badInput : .unavailable
    } catch {
      context.report("\(error)")
      return .unavailable
    }
  }

  /// Prints the addresses of a server, and serves until the task is cancelled.
  private func serve(
    _ server: ReplayServer, _ loaded: [LoadedFixture], _ reload: FixtureReload, _ options: Options,
    gateway: Gateway?, in context: CommandContext
  ) async -> ExitCode {
    defer { server.stop() }
    let authorityFile: AuthorityFile
    do {
      authorityFile = try AuthorityFile(
        server.authority, at: options.authorityFile, temporaryFolder: context.environment["TMPDIR"])
    } catch {
      context.report("\(error)")
      return .unavailable
    }
    defer { authorityFile.remove() }
    do {
      try announce(server, loaded, authorityFile, gateway, in: context)
    } catch {
      context.report("\(error)")
      return .internalError
    }
    // A reader waits for it, and there may be no more output for a long time.
    context.output.flush()
    // The failure is reported when the command ends; without the addresses the server is of no use.
    guard context.output.failure == nil else { return .unavailable }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await Self.show(server.journal, all: options.isVerbose, in: context) }
      group.addTask {
        await reload.keepUpToDate(server) {
          context.report($0)
          for finding in $1 { context.errors.writeLine(finding.description) }
        }
      }
    }
    return .success
  }

  private func announce(
    _ server: ReplayServer, _ loaded: [LoadedFixture], _ authority: AuthorityFile, _ gateway: Gateway?,
    in context: CommandContext
  ) throws {
    let report = ReplayReport(
      fixtures: loaded.compactMap(\.fixture?.name),
      listeners: ReplayListener.allCases.map { (name: $0.rawValue, address: "\(server.address(of: $0))") },
      authority: authority.path, gateway: gateway)
    context.output.write(context.format == .json ? try report.json() : report.text)
  }

  /// Prints requests as the server receives them.
  private static func show(_ journal: ReplayJournal, all: Bool, in context: CommandContext) async {
    var shown = 0
    while !Task.isCancelled {
      let entries = await journal.entries(after: shown)
      if let first = entries.first, first.number > shown + 1 {
        context.report("\(first.number - shown - 1) requests were too fast to be logged")
      }
      for entry in entries where all || entry.hit == nil {
        context.errors.writeLine(context.style.shown(entry.line))
      }
      shown = entries.last?.number ?? shown
    }
  }
}

extension ReplayCommand {
  /// The specification of `probekit replay`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "replay",
      summary: "Serve fixtures on loopback until stopped",
      discussion: [
        "Responds for every host as the fixtures describe, over HTTP, HTTPS and plain TCP. Prints the addresses and "
          + "the file of the certificate authority that clients must trust. The routes of several fixtures are tried in "
          + "the given order.",
        "Requests that match no route are logged to standard error with the nearest routes; --verbose logs all "
          + "requests. When a fixture changes, it is reloaded and starts from its initial state.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "FIXTURE", .some, takes: .folder, help: "the folder of a fixture, or a folder with fixtures"
        ) {
          options, text in
          options.paths.append(text)
        }
      ],
      options: [
        .option("--listen", value: "ADDRESS", help: "the address to listen on", default: "127.0.0.1") {
          options, text in
          guard let address = IPAddress(text) else {
            throw InvalidInput("\(Excerpt(text)) is not an address", remedy: "write it as 127.0.0.1 or ::1")
          }
          options.server.address = address
        },
        portOption("--http-port", .http, "plain HTTP"),
        portOption("--https-port", .https, "HTTPS"),
        portOption("--tcp-port", .tcp, "plain TCP"),
        .option(
          "--ca-out", value: "FILE", takes: .file,
          help: "write the certificate authority's certificate and key to this file, with mode 600"
        ) { options, text in options.authorityFile = text },
        .option(
          "--gateway", value: "INTERFACE",
          help: "be the router of this interface: clients there are in the replayed network; needs root"
        ) { options, text in options.gateway = text },
        .option(
          "--gateway-network", value: "ADDRESS/BITS",
          help: "the address on the interface of --gateway, and the length of the network's prefix",
          default: "that of the interface, or \(GatewayNetwork.usual)"
        ) { options, text in options.gatewayNetwork = try GatewayNetwork(text) },
        .flag("--verbose", short: "-v", help: "log every request to standard error") { $0.isVerbose = true },
      ],
      exitCodes: [
        (.success, "stopped by SIGINT, SIGTERM or SIGHUP"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "a fixture cannot be read or is invalid"),
        (.unavailable, "missing on this machine: the given port, or what --gateway needs"),
        (.internalError, "internal error (please report)"),
      ],
      environment: [("TMPDIR", "the folder of the certificate authority's file, without --ca-out")],
      examples: [
        ("replay fixtures/portals/coova-chilli", "serve a captive portal on free ports"),
        (
          "replay fixtures/worlds/open --http-port 8080 --verbose",
          "serve on a given port and log every request"
        ),
        ("replay fixtures/portals/coova-chilli --gateway wlan1", "put phones on wlan1 behind the portal"),
      ],
      check: \.conflicts)
  }

  private func portOption(_ name: String, _ listener: ReplayListener, _ what: String) -> OptionSpec<Options> {
    .option(name, value: "PORT", help: "the port for \(what)", default: "a free one") { options, text in
      guard let port = UInt16(text), port > 0 else {
        throw InvalidInput("\(Excerpt(text)) is not a port from 1 to 65535")
      }
      options.server.ports[listener] = port
    }
  }
}
