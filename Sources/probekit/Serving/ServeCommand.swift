import ByteStreams
import HTTPService
import ProbeCore
import ProbeExporter
import SourceDocuments

/// `probekit serve`: serves probes to Prometheus until it is stopped.
struct ServeCommand: Subcommand {
  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// The clock of the checks for changed files, and of the watchdog.
  var clock: any Clock<Duration> = ContinuousClock()
  /// The signals that reload the configuration.
  var reloads: @Sendable () -> AsyncStream<Void> = { Self.hangups() }

  func run(_ options: ServeOptions, in context: CommandContext) async -> ExitCode {
    var configuration = ExporterConfiguration()
    if let path = options.fileToRead {
      let file = ServedConfiguration(path: path)
      let read = file.read()
      for finding in read.findings { context.errors.writeLine(finding.description) }
      guard let usable = read.configuration else { return .badInput }
      configuration = usable
    }
    if options.onlyChecks {
      context.errors.writeLine("\(context.caller): the configuration can be used")
      return .success
    }
    do {
      let rules = try options.targetRules()
      var settings = options.exporter
      settings.routePrefix = try options.prefix()
      settings.commit = BuildVersion.commit
      let prober = try ExporterProber(plugins.transports, connector: StreamConnector(), targets: rules)
      let exporter = Exporter(configuration, prober: prober, settings: settings) {
        guard let path = options.fileToRead else { return .success(ExporterConfiguration()) }
        let read = ServedConfiguration(path: path).read()
        for finding in read.findings { context.errors.writeLine(finding.description) }
        return read.configuration.map { .success($0) }
          ?? .failure(InvalidInput("\(path) has errors", remedy: "see the log"))
      }
      return try await ServeSession(exporter, options, clock: clock, reloads: reloads()).run(in: context)
    } catch let error as InvalidExclusions {
      for mistake in error.mistakes { context.report("--allow-target or --deny-target: \(mistake)") }
      return .usage
    } catch {
      context.report("\(error)")
      return .unavailable
    }
  }

  private static func hangups() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let signals = Interruption.signals([MonitorSignals.hangup])
    let task = Task { for await _ in signals { continuation.yield() } }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// The file of modules.
struct ServedConfiguration: Sendable {
  /// The maximum size of the file in bytes.
  private static let limit = 16 << 20

  let path: String

  /// Reads the file.
  ///
  /// - Returns: The configuration, nil if it cannot be used, and what is wrong with the file.
  func read() -> (configuration: ExporterConfiguration?, findings: [SourceFinding]) {
    do throws(InvalidInput) {
      return ExporterConfiguration.read(try FileContents.read(path, limit: Self.limit), path: path)
    } catch {
      return (nil, [SourceFinding(path: path, error)])
    }
  }
}
