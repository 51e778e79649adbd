import ProbeCore

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// An example of a command: its options as a value, their specifications, and its action.
struct ExampleCommand: Subcommand {
  struct Options: Sendable {
    var urls: [String] = []
    var timeout = 5
    var headers: [String] = []
    var folder: String?
    var allowsPlain = false
    var contains: String?
    var equals: String?
  }

  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "check",
      summary: "Probe the built-in pipeline, or these URLs, once",
      discussion: [
        "Without a URL it asks what operating systems ask, and tells what the answers mean together."
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("URL", .any, help: "what to probe; - reads URLs from standard input, one a line") {
          $0.urls.append($1 == "-" ? $1 : try ProbeURL($1).string)
        }
      ],
      options: [
        .option("--timeout", value: "DURATION", help: "the time for each probe", default: "5s") {
          $0.timeout = try Self.seconds($1)
        },
        .option("--header", value: "NAME:VALUE", help: "a header field to send", repeats: true) {
          $0.headers.append($1)
        },
        .option("--output", short: "-o", value: "DIR", help: "where to write") { $0.folder = $1 },
        .option("--contains", value: "TEXT", help: "what the body must contain") { $0.contains = $1 },
        .option("--equals", value: "TEXT", help: "what the body must be") { $0.equals = $1 },
        .flag("--allow-http", help: "probe unencrypted URLs too; without it they are refused") {
          $0.allowsPlain = true
        },
      ],
      examples: [
        (arguments: "check", meaning: "Asks the built-in pipeline."),
        (
          arguments: "check --contains Success https://example.com/",
          meaning: "Asks for a page that contains the word Success."
        ),
      ],
      check: { options in
        options.contains != nil && options.equals != nil
          ? [InvalidInput("--contains and --equals cannot be used together", remedy: "choose one")] : []
      }
    )
  }

  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    context.output.writeLine("\(options.urls) \(options.timeout) \(context.format)")
    if options.urls.contains("-") {
      guard let bytes = try? context.input.readAll() else { return .badInput }
      for line in InputLine.lines(of: bytes) { context.output.writeLine("\(line.number) \(line.excerpt)") }
    }
    return options.urls.isEmpty ? .success : .notOnline
  }

  private static func seconds(_ text: String) throws(InvalidInput) -> Int {
    guard text.hasSuffix("s"), let seconds = Int(text.dropLast()) else {
      throw InvalidInput("\(Excerpt(text)) is not a duration", remedy: "write it as 5s or 800ms")
    }
    return seconds
  }
}

/// A command line run in memory.
struct Run {
  var code: ExitCode
  var output: String
  var errors: String

  init(
    _ arguments: [String], environment: [String: String] = [:], input: String = "",
    commands: [any Subcommand] = [ExampleCommand()], outputFails: Bool = false
  ) async {
    await self.init(
      bytes: arguments.map { Array($0.utf8) }, environment: environment, input: input, commands: commands,
      outputFails: outputFails)
  }

  init(
    bytes: [[UInt8]], environment: [String: String] = [:], input: String = "",
    commands: [any Subcommand] = [ExampleCommand()], outputFails: Bool = false
  ) async {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let broken = OutputSink(bufferSize: 8) { _ throws(OutputSink.Failure) in
      throw OutputSink.Failure("No space left on device")
    }
    code = await CommandLineTool(commands: commands).run(
      arguments: bytes, environment: environment.inUTF8, input: InputSource(input),
      output: outputFails ? broken : output.sink(), errors: errors.sink())
    self.output = output.text
    self.errors = errors.text
  }
}
