import BlackboxExporter
import ByteStreams
import CommandKit
import PortalSurvey
import ProbeCore
import ProbePipeline
import ProbeScan
import ProbeServer
import ProbeSystem
import ReplayControl
import SourceDocuments

/// `probekit serve`: serves probes to Prometheus until it is stopped.
struct ServeCommand: Subcommand {
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
      return context.ended(.unavailable, because: "\(error)")
    }
  }
}

/// The configuration files of an exporter: blackbox.yml and pipelines.
struct ServedConfiguration: Sendable {
  /// The maximum size of blackbox.yml in bytes.
  private static let limit = 16 << 20

  private let options: ServeOptions
  private let plugins: PluginRegistry
  private let context: CommandContext

  init(_ options: ServeOptions, _ plugins: PluginRegistry, in context: CommandContext) {
    (self.options, self.plugins, self.context) = (options, plugins, context)
  }

  /// Reads the files.
  ///
  /// - Returns: The configuration, nil if it is invalid, and the errors in the files.
  func read() -> (configuration: ExporterConfiguration?, findings: [SourceFinding]) {
    var (configuration, findings) = modules
    for path in options.pipelines {
      do throws(UnusablePipeline) {
        let pipeline = try pipeline(path)
        let name = pipeline.plan.name
        guard configuration?.modules[name] == nil else {
          let mistake = InvalidInput(
            "there is a module \(Excerpt(name)) already", remedy: "give the pipeline another name")
          findings.append(SourceFinding(path: path, mistake))
          continue
        }
        configuration?.modules[name] = ExporterModule(
          name: name, prober: "pipeline", probe: .pipeline(pipeline))
      } catch {
        findings += error.findings
      }
    }
    return (findings.contains { $0.severity == .error } ? nil : configuration, findings)
  }

  private func pipeline(_ path: String) throws(UnusablePipeline) -> ServedPipeline {
    let loaded: LoadedPipeline
    do throws(InvalidInput) {
      loaded = try PlannedPipelines.load(path, plugins, values: [:], in: context)
    } catch {
      throw UnusablePipeline(findings: [SourceFinding(path: path, error)])
    }
    return try ServedPipeline(loaded, in: context.requestContext())
  }

  private var modules: (ExporterConfiguration?, [SourceFinding]) {
    guard let path = options.fileToRead else { return (ExporterConfiguration(), []) }
    do throws(InvalidInput) {
      return ExporterConfiguration.read(try FileContents.read(path, limit: Self.limit), path: path)
    } catch {
      return (nil, [SourceFinding(path: path, error)])
    }
  }
}
