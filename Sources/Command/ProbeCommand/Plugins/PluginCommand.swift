import ProbeCore
import ProbeJSON
import ProbeTesting
import Transports
import CommandKit
import ProbeSystem

/// `probekit plugin`: tests a plugin in a separate process, or records its messages.
struct PluginCommand: Subcommand {
  enum Action: String, CaseIterable, Sendable {
    case test, record
  }

  /// The command-line options of `probekit plugin`.
  struct Options: Sendable {
    var action = Action.test
    /// The plugin and its arguments.
    var command: [String] = []
    /// The names of the environment variables to pass to it.
    var environment: [String] = []
    /// The timeout for a response, as a setting of requests.
    var settings = GivenSettings()
    /// Whether it runs without access to the network and files.
    var isSandboxed = false
    /// The file of `record`.
    var log: String?
    /// `--allow-commands`, which has no effect here: the command does not come from a file.
    var allowsPrograms = false
  }

  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var program = Program(options.command)
    program.environment = options.environment
    program.isSandboxed = options.isSandboxed
    switch options.action {
    case .test: return await test(program, options, in: context)
    case .record:
      do throws(InvalidInput) {
        let log = try TrafficLog(options.log ?? "")
        return await PluginRecording(program, log, in: context).run()
      } catch {
        return context.ended(.unavailable, because: "--output: \(error)")
      }
    }
  }

  private func test(
    _ program: Program, _ options: Options, in context: CommandContext
  ) async -> ExitCode {
    var kit = PluginConformance(program, environment: context.environment)
    kit.limit = options.settings.request.timeout
    let report = await kit.report()
    guard !Task.isCancelled else { return context.interrupted("the plugin was not tested to the end") }
    if context.format == .json {
      context.output.writeLine(report.json)
    } else {
      context.output.writeLine(report.description)
    }
    return report.violations.isEmpty ? .success : .notOnline
  }
}

extension PluginCommand {
  /// The specification of `probekit plugin`.
  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "plugin",
      summary: "Test a plugin in another process, or record its messages",
      discussion: [
        "A plugin is a program that judges responses or makes probes, and exchanges lines of JSON over its standard input "
          + "and output; see docs/library/plugins.md.",
        "test starts the plugin, sends it its example responses and unusual ones, one at a time and many at once, and prints the "
          + "errors.",
        "record runs in place of the plugin: it starts the plugin, forwards every line in both directions, and adds each line to "
          + "the file, as JSON with the time and the direction. The file can contain private data; only its owner can read it.",
        "Options of the plugin itself follow --.",
      ],
      initial: Options(),
      positionals: [
        .word(
          "ACTION", .one, of: Action.allCases.map(\.rawValue), else: "there is no such action",
          help: "test or record"
        ) { $0.action = Action(rawValue: $1) ?? .test },
        PositionalSpec(
          "COMMAND", .some, takes: .file, help: "the plugin and its arguments; a path or a name in PATH"
        ) { options, word in
          guard !word.isEmpty || !options.command.isEmpty else {
            throw InvalidInput("the name of the plugin is empty", remedy: "give its path")
          }
          options.command.append(word)
        },
      ],
      options: [
        .path("--output", \.log, short: "-o", help: "for record: the file to add the messages to"),
        .option(
          "--environment", value: "NAME",
          help: "an environment variable to pass to the plugin; no others are passed",
          repeats: true
        ) { $0.environment.append($1) },
        .flag("--sandbox", \.isSandboxed, help: "run it under bubblewrap, without network and files"),
        .programs(\.allowsPrograms),
      ]
        + RequestKey.timeout.options.map { option in
          .setting(option, of: .timeout, default: RequestKey.timeout.defaultValue) {
            try $0.settings.give(option, of: .timeout, $1)
          }
        },
      exitCodes: [
        (.success, "the plugin conforms; for record, it has ended"),
        (.notOnline, "the plugin breaks a rule, or ended with an error"),
        (.unavailable, "the file of record cannot be written"),
      ],
      examples: [
        ("plugin test ./health.py", "test a plugin"),
        (
          "plugin record -o traffic.jsonl -- ./health.py --strict",
          "record its messages, in its place in a pipeline"
        ),
      ],
      check: { options in
        switch options.action {
        case .record:
          .when(
            options.log == nil, "record needs a file for the messages", remedy: "add --output FILE")
        case .test: .when(options.log != nil, "--output is for record", remedy: "omit it")
        }
      })
  }
}

extension ConformanceReport {
  /// The report as JSON, on one line.
  fileprivate var json: String {
    var json = JSONBytes(reserving: 1000)
    json.object {
      $0.plainName("schema")
      $0.number(1)
      $0.plainName("subject")
      $0.text(subject)
      $0.plainName("checked")
      $0.list(checked) { $0.text($1.name) }
      $0.plainName("violations")
      $0.list(violations) { json, violation in
        json.object {
          for (name, text) in [
            ("rule", violation.rule.name), ("demand", violation.rule.demand), ("seen", violation.seen),
            ("input", violation.input),
          ] {
            $0.name(name)
            $0.text(text)
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
