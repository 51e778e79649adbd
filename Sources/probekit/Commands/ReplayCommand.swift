import FixtureReplay
import ProbeOpenSSL
import ProbeCore
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
        "listening on \(options.server.address): whoever reaches this machine reaches the replay server")
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
  private static func show(_ journal: ReplayJournal, all: Bool, in context: CommandContext) async {
    var shown = 0
    while !Task.isCancelled {
      let entries = await journal.entries(after: shown)
      if let first = entries.first, first.number > shown + 1 {
        context.report("\(first.number - shown - 1) requests came too fast to be shown")
      }
      for entry in entries where all || entry.hit == nil { context.errors.writeLine(entry.line) }
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
        "Answers for every host as the fixtures say, over HTTP, HTTPS and plain TCP, and prints where it listens and "
          + "the file of the certificate authority that clients must trust. Several fixtures are one world: their "
          + "routes are tried in the order given.",
        "Requests that no route is for are told on standard error with the routes that come nearest; --verbose tells "
          + "all. A fixture that changes is loaded anew, and starts from its initial state.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("FIXTURE", .some, help: "a fixture's folder, or a folder with fixtures below") {
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
          "--ca-out", value: "FILE",
          help: "write the authority's certificate and its key there, readable by you alone"
        ) { options, text in options.authorityFile = text },
        .flag("--verbose", short: "-v", help: "show every request on standard error") { $0.isVerbose = true },
      ],
      exitCodes: [
        (.success, "stopped by SIGINT, SIGTERM or SIGHUP"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "a fixture cannot be read or is wrong"),
        (.unavailable, "the machine lacks something, such as the port that was asked for"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("replay fixtures/portals/coova-chilli", "serve a captive portal on free ports"),
        (
          "replay fixtures/worlds/open --http-port 8080 --verbose",
          "serve on a known port, and show every request"
        ),
      ])
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
