import ProbeServer
import ProbeCore
import BlackboxExporter
import ProbeSystem
import CommandKit
import ReplayControl

/// Runs an exporter: serves requests, reloads the configuration on request or when its file changes, and informs the
/// service manager.
struct ServeSession: Sendable {
  private let exporter: Exporter
  private let options: ServeOptions
  /// Certificates, users and limits of the server; nil for none.
  private let web: WebConfigurationFile?
  private let clock: any Clock<Duration>
  /// An element for each request to reload the configuration (SIGHUP).
  private let reloads: AsyncStream<Void>
  /// The threads that handle requests.
  private let executors: [any TaskExecutor]

  /// Creates a session that does not listen yet.
  init(
    _ exporter: Exporter, _ options: ServeOptions, _ web: WebConfigurationFile?,
    on executors: [any TaskExecutor],
    clock: any Clock<Duration>, reloads: AsyncStream<Void>
  ) {
    (self.exporter, self.options, self.web, self.executors) = (exporter, options, web, executors)
    (self.clock, self.reloads) = (clock, reloads)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: `InvalidInput` if it cannot listen.
  func run(in context: CommandContext) async throws(InvalidInput) -> ExitCode {
    let service = try start(in: context)
    defer { service.stop() }
    for address in service.addresses {
      context.errors.writeLine("\(context.caller): listening on \(address)")
    }
    context.errors.flush()
    let manager = context.serviceManager()
    manager?.send(.ready("listening on \(service.addresses.map(\.description).joined(separator: ", "))"))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in reloads { await reload(manager, in: context) } }
      if options.reloadsAutomatically { group.addTask { await watchFile(manager, in: context) } }
      if let beat = manager?.watchdogInterval {
        group.addTask {
          while (try? await clock.sleep(for: beat)) != nil { manager?.send(.watchdog) }
        }
      }
      // The server continues even if all other tasks have ended.
      group.addTask { while (try? await clock.sleep(for: .seconds(3600))) != nil {} }
    }
    manager?.send(.stopping)
    return .success
  }

  private func start(in context: CommandContext) throws(InvalidInput) -> HTTPService {
    let routes = exporter.routes
    var limits = HTTPServiceOptions()
    limits.maximumConnections = Self.maximumConnections
    limits.maximumRequests = Self.maximumRequests
    // This saves each probe a thread switch.
    limits.executors = executors
    limits.respondsAtOnce = exporter.respondsAtOnce
    web?.apply(to: &limits)
    let addresses = try addresses(in: context)
    let service: HTTPService
    do throws(InvalidInput) {
      service = try HTTPService(on: addresses, options: limits) {
        (request) throws(HTTPServiceFailure) in try await routes.response(to: request)
      }
    } catch {
      throw InvalidInput("--web.listen-address: \(error.message)", remedy: error.remedy)
    }
    for address in service.addresses where address.isReachable {
      context.report("\(address): other machines can reach the server, and probe from this one")
    }
    return service
  }

  /// The addresses to listen on: those of the options, or the sockets from systemd.
  private func addresses(in context: CommandContext) throws(InvalidInput) -> [HTTPService.Address] {
    guard options.usesPassedSockets else { return options.listeningAddresses }
    let descriptors = try SocketActivation.descriptors(environment: context.environment)
    guard !descriptors.isEmpty else {
      throw InvalidInput(
        "--web.systemd-socket: systemd passed no socket", remedy: "start the server from a socket unit")
    }
    return descriptors.map { .inherited($0) }
  }

  private static let maximumConnections = 4096
  /// The maximum number of concurrent requests, and thus of probes.
  private static let maximumRequests = 2048

  private func reload(_ manager: ServiceManager?, in context: CommandContext) async {
    manager?.send(.reloading(at: ServiceManager.monotonicTime))
    do throws(InvalidInput) {
      try await exporter.reload()
      context.report("the configuration was reloaded")
      manager?.send(.ready("reloaded"))
    } catch {
      context.report("\(error); the previous configuration remains in effect")
      manager?.send(.ready("the configuration file has errors; the previous one remains in effect"))
    }
  }

  /// Reloads the configuration when its file has changed, which is checked at intervals.
  private func watchFile(_ manager: ServiceManager?, in context: CommandContext) async {
    guard let path = options.fileToRead else { return }
    var known = FileSignature(of: path)
    while (try? await clock.sleep(for: options.reloadInterval)) != nil {
      let seen = FileSignature(of: path)
      guard seen != known else { continue }
      known = seen
      await reload(manager, in: context)
    }
  }
}
