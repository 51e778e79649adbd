package import CommandKit
import ProbeBase
import ProbeCore
import ProbeSystem

/// An example of a command: its options as a value, their specifications, and its action.
package struct ExampleCommand: Subcommand {
  package struct Options: Sendable {
    package var urls: [String] = []
    package var timeout = 5
    package var headers: [String] = []
    package var folder: String?
    package var allowsPlain = false
    package var contains: String?
    package var equals: String?
  }

  package init() {}

  package var spec: CommandSpec<Options> {
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
      exitCodes: [(.success, "online")],
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

  package func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    context.output.writeLine("\(options.urls) \(options.timeout) \(context.format)")
    if options.urls.contains("-") {
      guard let bytes = try? context.input.readAll() else { return .badInput }
      ListFile.forEachEntry(of: bytes) { number, line in
        let text = RawArgument(Array(line)).text
        context.output.writeLine("\(number) \(Excerpt(text.withoutCredentials))")
      }
    }
    return options.urls.isEmpty ? .success : ExitCode(rawValue: 1)
  }

  private static func seconds(_ text: String) throws(InvalidInput) -> Int {
    guard text.hasSuffix("s"), let seconds = Int(text.dropLast()) else {
      throw InvalidInput("\(Excerpt(text)) is not a duration", remedy: "write it as 5s or 800ms")
    }
    return seconds
  }
}
