import ByteStreams
import ProbeServer
import ProbeCore
import BlackboxExporter
import SourceDocuments
import CommandKit
import ProbeSystem

/// `probekit serve`: serves probes to Prometheus until it is stopped.
struct ServeCommand: Subcommand {
  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// The clock of the checks for changed files, and of the watchdog.
  var clock: any Clock<Duration> = ContinuousClock()
  /// The signals that reload the configuration.
  var reloads: @Sendable () -> AsyncStream<Void> = { Interruption.arrivals(of: MonitorSignals.hangup) }

  func run(_ options: ServeOptions, in context: CommandContext) async -> ExitCode {
    if options.printsVersion {
      context.output.writeLine(context.program.versionLine)
      return .success
    }
    return await context.allowingPrograms(options.allowsPrograms) { await serve(options, in: $0) }
  }

  private func serve(_ options: ServeOptions, in context: CommandContext) async -> ExitCode {
    let files = ServedConfiguration(options, plugins, in: context)
    let read = files.read()
    for finding in read.findings { context.report(finding) }
    guard let configuration = read.configuration else { return .badInput }
    var web: WebConfigurationFile?
    if let path = options.webConfigurationFile {
      let (file, findings) = WebConfigurationFile.read(path: path)
      for finding in findings { context.report(finding) }
      guard let file else { return .badInput }
      if file.current.isEmpty {
        context.report("\(path): the file is empty: neither TLS nor authentication is required")
      }
      file.onFindings { findings in
        for finding in findings { context.report(finding) }
        guard findings.contains(where: { $0.severity == .error }) else { return }
        context.report("\(path): the previous configuration remains in effect")
      }
      web = file
    }
    if options.onlyChecks {
      context.errors.writeLine("\(context.caller): the configuration can be used")
      return .success
    }
    do {
      var settings = options.exporter
      settings.routePrefix = options.prefix
      settings.externalURL = options.externalURL?.text
      settings.commit = BuildVersion.commit
      if let web { settings.webFileIsUsable = { web.isUsable } }
      let prober = try ExporterProber(
        plugins.transports, connector: StreamConnector(), targets: options.targetRules)
      // A reload never keeps a thread of the probes waiting.
      let rereading = FileRereading(clock: clock)
      let exporter = Exporter(configuration, prober: prober, settings: settings) {
        do throws(InvalidInput) {
          let read = try await rereading.read { files.read() }
          for finding in read.findings { context.report(finding) }
          return read.configuration.map { .success($0) }
            ?? .failure(InvalidInput("the configuration has errors", remedy: "see the log"))
        } catch {
          return .failure(error)
        }
      }
      let executors = plugins.transports[.https]?.executors ?? []
      return try await ServeSession(
        exporter, options, web, on: executors, clock: clock, reloads: reloads()
      ).run(in: context)
    } catch {
      context.report("\(error)")
      return .unavailable
    }
  }
}
