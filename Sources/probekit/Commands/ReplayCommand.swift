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
    /// Whether to print every request, not only those without an answer.
    var isVerbose = false
    /// The command to run in the network, and its arguments, or nothing.
    var command: [String] = []
    /// What the router of the network is told, or nil in any other process.
    var router: RouterSettings?
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
    if !options.command.isEmpty {
      guard context.format == .text else {
        context.report("--exec cannot be used with --format: standard output is that of the command")
        return .usage
      }
      guard let router = options.router else { return await runOutside(options, in: context) }
      return await runInside(options, router, loaded.compactMap(\.fixture), in: context)
    }
    let server: ReplayServer
    let authorityFile: AuthorityFile
    do {
      server = try ReplayServer(loaded.compactMap(\.fixture), options: options.server)
      authorityFile = try AuthorityFile(
        server.authority, at: options.authorityFile, temporaryFolder: context.environment["TMPDIR"])
    } catch let error as ReplayError {
      context.report("\(error)")
      return error.code == .conflict ? .badInput : .unavailable
    } catch {
      context.report("\(error)")
      return .unavailable
    }
    defer {
      server.stop()
      authorityFile.remove()
    }
    if !options.server.address.isLoopback {
      context.report(
        "listening on \(options.server.address): other machines can reach the replay server")
    }
    do {
      try announce(server, loaded, authorityFile, in: context)
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
    _ server: ReplayServer, _ loaded: [LoadedFixture], _ authority: AuthorityFile, in context: CommandContext
  ) throws {
    let report = ReplayReport(
      fixtures: loaded.compactMap(\.fixture?.name),
      listeners: ReplayListener.allCases.map { (name: $0.rawValue, address: "\(server.address(of: $0))") },
      authority: authority.path)
    context.output.write(context.format == .json ? try report.json() : report.text)
  }

  /// Prints requests as the server receives them.
  static func show(_ journal: ReplayJournal, all: Bool, in context: CommandContext) async {
    var shown = 0
    var isLast = false
    while !isLast {
      // Once more after the end, for the requests before it.
      isLast = Task.isCancelled
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
        "--exec runs a command in a network that is the fixture: DNS, every address and every port lead to the server, "
          + "and programs trust its certificates. The arguments behind the command are the command's own. Nothing of the "
          + "machine is changed, and everything that the command started ends with it.",
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
        OptionSpec(
          name: "--exec", value: "COMMAND [ARGUMENT...]", kind: .file,
          help: "run a command in a network that is the fixture, and exit with its exit code", takesRest: true
        ) { options, text in options.command.append(text) },
        OptionSpec(
          name: RouterSettings.option, value: "SETTINGS", help: "for the process that --exec starts",
          isHidden: true
        ) { options, text in
          guard let settings = RouterSettings(text) else {
            throw InvalidInput("only --exec uses this option")
          }
          options.router = settings
        },
        .flag("--verbose", short: "-v", help: "log every request to standard error") { $0.isVerbose = true },
      ],
      exitCodes: [
        (.success, "stopped by SIGINT, SIGTERM or SIGHUP; with --exec, any code is that of the command"),
        (.usage, "wrong command line; nothing was done"),
        (.badInput, "a fixture cannot be read or is invalid"),
        (.unavailable, "missing on this machine: the given port; for --exec, namespaces or a tool"),
        (.internalError, "internal error (please report)"),
        (.commandNotExecutable, "the command of --exec cannot be executed"),
        (.commandNotFound, "the command of --exec does not exist"),
      ],
      environment: [("TMPDIR", "the folder of the certificate authority's file, without --ca-out")],
      examples: [
        ("replay fixtures/portals/coova-chilli", "serve a captive portal on free ports"),
        (
          "replay fixtures/worlds/open --http-port 8080 --verbose",
          "serve on a given port and log every request"
        ),
        (
          "replay fixtures/portals/coova-chilli --exec curl -sSL http://example.com/",
          "what a command sees behind the portal"
        ),
      ],
      check: { options in
        guard !options.command.isEmpty else { return [] }
        guard options.server.ports.isEmpty, options.server.address.isLoopback else {
          return [
            InvalidInput(
              "--exec cannot be used with --listen, --http-port, --https-port or --tcp-port: the command reaches the server "
                + "at every address and port")
          ]
        }
        return []
      })
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
