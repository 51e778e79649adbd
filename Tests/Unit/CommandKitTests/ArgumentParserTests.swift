import ExampleCommand
import ProbeCore
import Testing

@testable import CommandKit

@Suite struct ArgumentParserTests {
  static func parse(_ arguments: [String]) -> ParsedArguments<ExampleCommand.Options> {
    let numbered = arguments.enumerated().map { (position: $0.offset + 2, argument: RawArgument($0.element)) }
    return ArgumentParser.parse(numbered, for: ExampleCommand().spec)
  }

  @Test func noArgumentsGiveTheDefaults() {
    let parsed = Self.parse([])
    #expect(parsed.mistakes.isEmpty)
    #expect(parsed.options.timeout == 5)
    #expect(parsed.format == .text)
    #expect(parsed.color == .auto)
  }

  @Test func argumentsAreParsedInEveryForm() {
    let parsed = Self.parse([
      "https://a/", "--timeout", "7s", "--header=A: 1", "--header", "B: 2=3", "-", "-o", "dir",
      "--allow-http",
      "--allow-http", "--contains=", "--format=json", "--no-color", "--", "https://b/", "-", "https://c/",
    ])
    #expect(parsed.mistakes.isEmpty)
    #expect(parsed.options.urls == ["https://a/", "-", "https://b/", "-", "https://c/"])
    #expect(parsed.options.timeout == 7)
    #expect(parsed.options.headers == ["A: 1", "B: 2=3"])
    #expect(parsed.options.folder == "dir")
    #expect(parsed.options.allowsPlain)
    #expect(parsed.options.contains == "")
    #expect(parsed.format == .json)
    #expect(parsed.color == .never)
  }

  @Test func valuesMayStartWithDashesOrBeAttached() {
    #expect(Self.parse(["--contains", "-"]).options.contains == "-")
    #expect(Self.parse(["--contains", "-5"]).options.contains == "-5")
    #expect(Self.parse(["--contains=--x"]).options.contains == "--x")
    #expect(Self.parse(["-odir"]).options.folder == "dir")
  }

  @Test(arguments: [["--help"], ["-h"], ["--wrong", "-h"], ["--timeout", "--help"], ["x", "--help"]])
  func helpIsRequestedDespiteErrors(_ arguments: [String]) {
    #expect(Self.parse(arguments).wantsHelp)
  }

  static let mistakes: [(arguments: [String], mistakes: [String])] = [
    (["--timeout", "x"], ["--timeout: \"x\" is not a duration: write it as 5s or 800ms"]),
    (["--timeout="], ["--timeout: \"\" is not a duration: write it as 5s or 800ms"]),
    (["--timeout"], ["--timeout: the value is missing: write --timeout DURATION"]),
    (["--timeout", "--allow-http"], ["--timeout: the value is missing: write --timeout DURATION"]),
    (["--timeout", "--"], ["--timeout: the value is missing: write --timeout DURATION"]),
    (["-o"], ["--output: the value is missing: write --output DIR"]),
    (["--timeout", "1s", "--timeout=2s", "--timeout=3s"], ["--timeout: given more than once"]),
    (["--allow-http=yes"], ["--allow-http: takes no value"]),
    (["--tiemout", "5s"], ["unknown option --tiemout: did you mean --timeout?"]),
    (["--tiemout=5s"], ["unknown option --tiemout: did you mean --timeout?"]),
    (["-timeout", "5s"], ["unknown option -timeout: did you mean --timeout?"]),
    (["--Timeout", "5s"], ["unknown option --Timeout: did you mean --timeout?"]),
    (["--allow"], ["unknown option --allow: did you mean --allow-http?"]),
    (["--allow-htp", "https://a/"], ["unknown option --allow-htp: did you mean --allow-http?"]),
    (["--xyzzy"], ["unknown option --xyzzy: see probekit check --help"]),
    // The next argument may be a value, so only errors in other arguments are reported.
    (["--xyzzy", "5", "https://a/"], ["unknown option --xyzzy: see probekit check --help"]),
    (["-x", "5", "https://a/"], ["unknown option -x: see probekit check --help"]),
    (
      ["--xyzzy=1", "5"],
      [
        "unknown option --xyzzy: see probekit check --help",
        "\"5\": the URL has no scheme: start it with one, as in https://example.com/",
      ]
    ),
    (["-x"], ["unknown option -x: see probekit check --help"]),
    (["-hx"], ["unknown option -hx: see probekit check --help"]),
    (["--e\u{1B}[2J"], ["unknown option --e\\x1b[2J: see probekit check --help"]),
    (["--format", "jsn"], ["--format: \"jsn\" is not a format: did you mean json?"]),
    (["--format", "yaml"], ["--format: \"yaml\" is not a format: use text or json"]),
    (["ht tp://x"], ["\"ht tp://x\": the URL contains a space at byte 2: write it as %20"]),
    (
      ["--contains=a", "--equals=b"], ["--contains and --equals cannot be used together: choose one"]
    ),
    (
      ["--tiemout", "1s", "--timeout", "x", "x", "--contains=a", "--equals=b", "-o"],
      [
        "unknown option --tiemout: did you mean --timeout?",
        "--timeout: \"x\" is not a duration: write it as 5s or 800ms",
        "--output: the value is missing: write --output DIR",
        "\"x\": the URL has no scheme: start it with one, as in https://example.com/",
        "--contains and --equals cannot be used together: choose one",
      ]
    ),
  ]

  @Test(arguments: mistakes)
  func reportsEveryError(_ arguments: [String], mistakes: [String]) {
    #expect(Self.parse(arguments).mistakes == mistakes)
  }

  @Test func positionalCounts() {
    func mistakes(_ count: PositionalSpec<[String]>.Count, _ arguments: [String]) -> [String] {
      let spec = CommandSpec<[String]>(
        name: "x", summary: "", initial: [],
        positionals: [PositionalSpec("FILE", count, help: "") { $0.append($1) }], exitCodes: [])
      let numbered = arguments.map { (position: 1, argument: RawArgument($0)) }
      return ArgumentParser.parse(numbered, for: spec).mistakes
    }
    #expect(mistakes(.one, []) == ["FILE is missing"])
    #expect(mistakes(.one, ["a"]) == [])
    #expect(mistakes(.one, ["a", "b", "c"]) == ["unexpected argument \"b\"", "unexpected argument \"c\""])
    #expect(mistakes(.optional, []) == [])
    #expect(mistakes(.optional, ["a", "u:s3cret@b"]) == ["unexpected argument \"<redacted>@b\""])
    #expect(mistakes(.any, []) == [])
    #expect(mistakes(.some, []) == ["FILE is missing"])
    #expect(mistakes(.some, ["a", "b"]) == [])
  }
}
