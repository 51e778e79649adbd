import HTTPService
import ProbeCore
import ProbeExporter
import ProbeFiles

/// A running exporter: its listeners, and what reloads its configuration.
struct ServeSession: Sendable {
  private let exporter: Exporter
  private let options: ServeOptions
  private let clock: any Clock<Duration>
  private let reloads: AsyncStream<Void>

  /// A session that does not listen yet.
  init(
    _ exporter: Exporter, _ options: ServeOptions, clock: any Clock<Duration>, reloads: AsyncStream<Void>
  ) {
    (self.exporter, self.options, self.clock, self.reloads) = (exporter, options, clock, reloads)
  }

  /// Serves until the task is cancelled.
  ///
  /// - Throws: `InvalidInput` if it cannot listen.
  func run(in context: CommandContext) async throws(InvalidInput) -> ExitCode {
    let services = try start(in: context)
    defer { for service in services { service.stop() } }
    for service in services {
      context.errors.writeLine("\(context.caller): listening on \(service.place)")
    }
    context.errors.flush()
    let manager = manager(in: context)
    manager?.send(.ready("listening on \(services.map { "\($0.place)" }.joined(separator: ", "))"))
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in reloads { reload(manager, in: context) } }
      if options.reloadsByItself { group.addTask { await watchFile(manager, in: context) } }
      if let beat = manager?.watchdogInterval {
        group.addTask {
          while (try? await clock.sleep(for: beat)) != nil { manager?.send(.watchdog) }
        }
      }
      // The others may have ended, and the server serves on.
      group.addTask { while (try? await clock.sleep(for: .seconds(3600))) != nil {} }
    }
    manager?.send(.stopping)
    return .success
  }

  private func start(in context: CommandContext) throws(InvalidInput) -> [HTTPService] {
    let routes = exporter.routes
    var services: [HTTPService] = []
    do throws(InvalidInput) {
      for place in options.listeningPlaces {
        var limits = HTTPServiceOptions()
        limits.mostConnections = Self.mostConnections
        let service = try HTTPService(on: place, options: limits) { (request) throws(HTTPServiceFault) in
          try await routes.response(to: request)
        }
        services.append(service)
        if service.place.isReachable {
          context.report("\(service.place): other machines can reach the server, and probe from this one")
        }
      }
    } catch {
      for service in services { service.stop() }
      throw InvalidInput("--web.listen-address: \(error.message)", remedy: error.remedy)
    }
    return services
  }

  /// The maximum number of connections.
  private static let mostConnections = 1024

  private func reload(_ manager: ServiceManager?, in context: CommandContext) {
    manager?.send(.reloading(at: ServiceManager.monotonicTime))
    do throws(InvalidInput) {
      try exporter.reload()
      context.report("the configuration was reloaded")
      manager?.send(.ready("reloaded"))
    } catch {
      context.report("\(error); the previous configuration stays in force")
      manager?.send(.ready("the configuration file has errors; the previous one is in force"))
    }
  }

  private func watchFile(_ manager: ServiceManager?, in context: CommandContext) async {
    guard let path = options.fileToRead else { return }
    var known = FileSignature(of: path)
    while (try? await clock.sleep(for: options.reloadInterval)) != nil {
      let seen = FileSignature(of: path)
      guard seen != known else { continue }
      known = seen
      reload(manager, in: context)
    }
  }

  private func manager(in context: CommandContext) -> ServiceManager? {
    do throws(InvalidInput) { return try ServiceManager(context.environment) } catch {
      // Serving is possible nevertheless.
      context.report("\(error)")
      return nil
    }
  }
}
