import CommandKit
import FixtureReplay
import Glibc
import ProbeCore
import ProbeReporting
import ProbeServer
import ProbeSystem
import ProbeTLS
import ReplayNetwork
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
    /// The address at which other programs can control the server, or nil.
    var controlAddress: HTTPService.Address?
    /// The file with the control token, or nil to generate one.
    var controlTokenFile: String?
    /// The interface whose clients are part of the replayed network, or nil for none.
    var gateway: String?
    /// The network of the gateway, or nil for that of the interface.
    var gatewayNetwork: GatewayNetwork?
    /// Whether to print every request instead of only those without a response.
    var isVerbose = false
    /// The command to run in the network, and its arguments; empty for none.
    var command: [String] = []
    /// The settings of the router of the network, or nil in any other process.
    var router: RouterSettings?
  }

  /// The clock that measures the interval between checks of the fixtures' files.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Starts the server, prints its addresses, and serves until the task is cancelled.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    let loaded = FixtureLoader().load(options.paths)
    let reloader = FixtureReloader(paths: options.paths, loaded: loaded, clock: clock)
    let findings = loaded.flatMap(\.findings)
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding.description) }
      return .badInput
    }
    let fixtures = loaded.compactMap(\.fixture)
    if !options.command.isEmpty {
      guard context.format == .text else {
        return context.ended(
          .usage, because: "--exec cannot be used with --format: standard output is that of the command")
      }
      guard let router = options.router else { return await runOutside(options, in: context) }
      return await runInside(options, router, fixtures, in: context)
    }
    do {
      if let interface = options.gateway {
        return try await serve(fixtures, on: interface, options, in: context) { server, gateway in
          await serve(server, loaded, reloader, options, gateway: gateway, in: context)
        }
      }
      let server = try ReplayServer(fixtures, options: options.server)
      if !options.server.address.isLoopback {
        context.report(
          "listening on \(options.server.address): other machines can reach the replay server")
      }
      return await serve(server, loaded, reloader, options, gateway: nil, in: context)
    } catch let error as ReplayError {
      context.report("\(error)")
      return error.code == .conflict ? .badInput : .unavailable
    } catch {
      return context.ended(.unavailable, because: "\(error)")
    }
  }

  /// Prints the addresses of a server, and serves until the task is cancelled; then the server is stopped.
  private func serve(
    _ server: ReplayServer, _ loaded: [LoadedFixture], _ reloader: FixtureReloader, _ options: Options,
    gateway: Gateway?, in context: CommandContext
  ) async -> ExitCode {
    defer { server.stop() }
    do {
      let authorityFile = try AuthorityFile(
        server.authority, at: options.authorityFile, temporaryFolder: context.environment["TMPDIR"])
      defer { authorityFile.remove() }
      let control = try RunningControl(options, of: server, in: context)
      defer { control?.service.stop() }
      let report = ReplayReport(
        fixtures: loaded.compactMap(\.fixture?.name),
        listeners: ReplayListener.allCases.map { (name: $0.rawValue, address: "\(server.address(of: $0))") },
        authority: authorityFile.path, control: control?.announced, gateway: gateway)
      let code = context.write("the addresses") {
        context.format == .json ? try report.json() : report.text
      }
      guard code == .success else { return code }
      // A reader waits for the addresses, and there may be no further output for a long time.
      context.output.flush()
      // The failure is reported when the command ends; without the addresses, the server is useless.
      guard context.output.failure == nil else { return .unavailable }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await Self.show(server.journal, all: options.isVerbose, in: context) }
        group.addTask {
          await reloader.keepUpToDate(server) {
            context.report($0)
            for finding in $1 { context.errors.writeLine(finding.description) }
          }
        }
      }
      return code
    } catch {
      return context.ended(.unavailable, because: "\(error)")
    }
  }

  /// Prints requests as the server receives them.
  static func show(_ journal: ReplayJournal, all: Bool, in context: CommandContext) async {
    var shown = 0
    var isLast = false
    while !isLast {
      // Print once more after the end, for the requests before it.
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

/// The file with a replay server's certificate authority, readable only by its owner.
struct AuthorityFile: Sendable {
  let path: String
  private let isTemporary: Bool

  /// Writes the authority's certificate to a temporary file or, if a path is given, its certificate and key
  /// to that path.
  ///
  /// An existing file is replaced instead of overwritten, because other users may be able to read it or have
  /// it open.
  ///
  /// - Parameters:
  ///   - authority: The authority.
  ///   - path: The path, or nil for a temporary file.
  ///   - folder: The folder for temporary files, or nil for the default.
  /// - Throws: ``InvalidInput`` if the file cannot be written, `TLSError` if OpenSSL cannot write the key.
  init(_ authority: CertificateAuthority, at path: String?, temporaryFolder folder: String?) throws {
    isTemporary = path == nil
    self.path = path ?? Self.temporaryPath(in: folder ?? "")
    let key = try path.map { _ in try authority.privateKeyPEM() } ?? ""
    do throws(OutputSink.Failure) {
      let file = try ReportFile(self.path, isPrivate: true)
      file.sink.write(authority.pem + key)
      try file.commit()
    } catch {
      throw InvalidInput("\(self.path): cannot be written: \(error.message)")
    }
  }

  /// Removes the file if it is temporary.
  func remove() {
    if isTemporary { unsafe unlink(path) }
  }

  private static func temporaryPath(in folder: String) -> String {
    let name = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(folder.isEmpty ? "/tmp" : folder)/probekit-ca-\(name).pem"
  }
}
