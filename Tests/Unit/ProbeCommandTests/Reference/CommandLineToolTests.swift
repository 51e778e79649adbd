import TestSupport
import FoundationEssentials
import ProbeCore
import Testing

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

@Suite struct CommandLineToolTests {
  @Test func runsACommand() async {
    let run = await Run(["check", "--timeout", "9s", "https://a/", "--format=json"])
    #expect(run.code == .notOnline)
    #expect(run.output == "[\"https://a/\"] 9 json\n")
    #expect(run.errors.isEmpty)
  }

  @Test func readsStandardInput() async {
    let run = await Run(["check", "-"], input: "\u{FEFF}https://a/\r\n\n  https://u:s3cret@b/ \nlast")
    #expect(
      run.output == "[\"-\"] 5 text\n1 \"https://a/\"\n3 \"https://<redacted>@b/\"\n4 \"last\"\n")
  }

  @Test func eachErrorIsOneLineAndNothingRuns() async {
    let run = await Run(["check", "--timeout", "x", "--bad"])
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(
      run.errors
        == "probekit check: --timeout: \"x\" is not a duration: write it as 5s or 800ms\n"
        + "probekit check: unknown option --bad: see probekit check --help\n")
  }

  static let wrong: [(arguments: [String], error: String)] = [
    ([], "no command given: see probekit --help"),
    (["chekc"], "unknown command \"chekc\": did you mean check?"),
    (["hepl"], "unknown command \"hepl\": did you mean help?"),
    (["xyzzy"], "unknown command \"xyzzy\": see probekit --help"),
    (["chec\u{1B}"], "unknown command \"chec\\x1b\": did you mean check?"),
    (["https://u:p@a/"], "unknown command \"https://<redacted>@a/\": to probe a URL, use probekit check"),
    (["--no-color", "check"], "unknown option \"--no-color\": put options after the command"),
    (["--versoin"], "unknown option \"--versoin\": did you mean --version?"),
    (["-"], "unknown command \"-\": see probekit --help"),
    (["help", "chekc"], "unknown command \"chekc\": did you mean check?"),
    (
      ["help", "pipeline"],
      "unknown command \"pipeline\": for the manual page, use probekit manual pipeline"
    ),
    (["help", "check", "x"], "unexpected argument \"x\""),
    (["--version", "x"], "unexpected argument \"x\""),
  ]

  @Test(arguments: wrong)
  func refusesUnknownCommands(_ arguments: [String], error: String) async {
    let run = await Run(arguments)
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors == "probekit: \(error)\n")
  }

  @Test func argumentsThatAreNotUTF8AreReported() async {
    let bad: [UInt8] = Array("caf".utf8) + [0xE9, 0x1B] + Array("x".utf8)
    let run = await Run(bytes: [
      Array("check".utf8), bad, Array("--timeout=".utf8) + bad, Array("--bad".utf8),
    ])
    #expect(run.code == .usage)
    #expect(
      run.errors
        == "probekit check: argument 3: \"--timeout=caf\\xe9\\x1bx\" is not valid UTF-8 at byte 13\n"
        + "probekit check: unknown option --bad: see probekit check --help\n"
        + "probekit check: argument 2: \"caf\\xe9\\x1bx\" is not valid UTF-8 at byte 3\n")
    let secret = Array("https://u:s3cret".utf8) + [0xFF] + Array("@h/".utf8)
    let hidden = await Run(bytes: [Array("check".utf8), secret])
    #expect(
      hidden.errors == "probekit check: argument 2: \"https://<redacted>@h/\" is not valid UTF-8 at byte 16\n"
    )
    let option = await Run(bytes: [Array("check".utf8), Array("--ba".utf8) + [0xFF]])
    #expect(option.errors == "probekit check: argument 2: \"--ba\\xff\" is not valid UTF-8 at byte 4\n")
    let command = await Run(bytes: [[0xC3, 0x28]])
    #expect(command.errors == "probekit: argument 1: \"\\xc3(\" is not valid UTF-8 at byte 0\n")
  }

  @Test func version() async throws {
    let run = await Run(["--version"])
    #expect(run.code == .success)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == "probekit \(probeKitVersion)\(BuildVersion.commitNote)")
    // The libraries, with their versions; only gumbo has none.
    let libraries = try #require(lines.last).split(separator: " ")
    #expect(libraries.first == "Libraries:")
    #expect(
      libraries.dropFirst().map { $0.prefix { $0 != "/" } } == [
        "libcurl", "OpenSSL", "c-ares", "ldns", "PCRE2", "libyaml", "jansson", "gumbo", "libidn2", "libpsl",
        "zlib", "brotli", "zstd",
      ])
    let withoutVersion = libraries.dropFirst().filter { !$0.contains(/\/[0-9]+(\.[0-9]+)+$/) }
    #expect(withoutVersion == ["gumbo"])
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "help"], ["--help", "check"]])
  func toolHelp(_ arguments: [String]) async throws {
    let run = await Run(arguments)
    #expect(run.code == .success)
    #expect(try run.output == Snapshot("help", is: run.output).text)
  }

  @Test(arguments: [["check", "--help"], ["help", "check"]])
  func commandHelp(_ arguments: [String]) async throws {
    let run = await Run(arguments)
    #expect(run.code == .success)
    #expect(try run.output == Snapshot("help-check", is: run.output).text)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func unwritableOutputIsAnError() async {
    let run = await Run(["check"], outputFails: true)
    #expect(run.code == .unavailable)
    #expect(run.errors == "probekit: cannot write to standard output: No space left on device\n")
    #expect(await Run(["--help"], outputFails: true).code == .unavailable)
  }

  @Test(arguments: [["--help"], ["-h"], ["--wrong", "-h"], ["--timeout", "--help"], ["x", "--help"]])
  func helpIsShownDespiteErrors(_ arguments: [String]) async {
    let run = await Run(["check"] + arguments)
    #expect(run.code == .success)
    #expect(run.output.hasPrefix("Usage: probekit check"))
    #expect(run.errors.isEmpty)
  }

  static let secrets: [[String]] = [
    ["https://user:s3cret@example.com/"], ["https://user:s3cret@example.com/", "--bad"],
    ["--timeout", "https://user:s3cret@example.com/"], ["--timeout=https://user:s3cret@example.com/"],
    ["https://user:s3cret/word@example.com/"], ["user:s3cret@example.com"], ["--format", "s3cret@x"],
    ["--https://user:s3cret@example.com/"], ["-https://user:s3cret@example.com/"],
    ["https://us er:s3cret@example.com/"],
    ["--timeout", "https://user:s3cret" + String(repeating: "x", count: 100) + "@example.com/"],
  ]

  @Test(arguments: secrets)
  func credentialsAreNeverShown(_ arguments: [String]) async {
    let run = await Run(["check"] + arguments)
    #expect(run.code == .usage)
    #expect(!run.errors.isEmpty)
    #expect(!run.errors.contains("s3c"))
    let asCommand = await Run(arguments)
    #expect(!asCommand.errors.contains("s3c"))
  }
}
