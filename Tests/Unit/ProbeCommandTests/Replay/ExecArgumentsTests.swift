import BundledPlugins
import ProbeServer
import ProbeSystem
import TestSupport
import Testing

@testable import CommandKit
@testable import ProbeCommand

/// The command after `--exec`, and the arguments of the process that is its router.
@Suite struct ExecArgumentsTests {
  @Test func theRouterParsesTheSameArguments() {
    var options = ReplayCommand.Options()
    options.paths = ["a", "b c"]
    options.command = ["--odd", "-v"]
    options.isVerbose = true
    options.authorityFile = "-ca"
    options.controlAddress = .unix("/run/a b.sock")
    options.controlTokenFile = "-token"
    let arguments = ReplayCommand.arguments(options).enumerated().map {
      (position: $0.offset + 2, argument: RawArgument($0.element))
    }
    let read = ArgumentParser.parse(arguments, for: ReplayCommand().spec)
    #expect(read.mistakes.isEmpty)
    #expect(read.options.paths == options.paths && read.options.command == options.command)
    #expect(read.options.isVerbose && read.options.authorityFile == "-ca")
    #expect(read.options.controlAddress == options.controlAddress)
    #expect(read.options.controlTokenFile == "-token")
  }

  @Test func argumentsAfterTheCommandBelongToIt() {
    func parse(_ arguments: String...) -> ParsedArguments<ReplayCommand.Options> {
      ArgumentParser.parse(
        arguments.enumerated().map { (position: $0.offset + 2, argument: RawArgument($0.element)) },
        for: ReplayCommand().spec)
    }
    let parsed = parse("a", "-v", "--exec", "curl", "-v", "--exec", "--", "x")
    #expect(parsed.options.command == ["curl", "-v", "--exec", "--", "x"])
    #expect(parsed.options.paths == ["a"] && parsed.options.isVerbose && parsed.mistakes.isEmpty)
    #expect(parse("a", "--exec", "--", "--odd").options.command == ["--odd"])
    #expect(parse("a", "--exec=curl", "-s").options.command == ["curl", "-s"])
    #expect(
      parse("a", "--exec").mistakes == ["--exec: the value is missing: write --exec COMMAND [ARGUMENT...]"])
    #expect(parse("a", "--exec", "--").mistakes.count == 1)
    #expect(parse("--exec", "true").mistakes == ["FIXTURE is missing"])
    #expect(
      parse("a", "--http-port", "80", "--exec", "true").mistakes.first?.hasPrefix(
        "--exec cannot be used with --listen") == true)
    #expect(
      parse("a", "--as-router", "x", "--exec", "true").mistakes == [
        "--as-router: only --exec uses this option"
      ])
  }

  @Test func execCannotBeCombinedWithAReportFormat() async throws {
    let folder = try TemporaryFolder([
      "fixture.yaml": "version: 1\nname: a\nsource: { kind: synthetic, reference: a }\nroutes: []\n"
    ])
    let errors = MemoryOutput()
    let code = await CommandLineTool(plugins: try .bundled).run(
      arguments: ["replay", "--format", "json", folder.path, "--exec", "true"].map { Array($0.utf8) },
      output: MemoryOutput().sink(), errors: errors.sink())
    #expect(code == .usage)
    #expect(
      errors.text
        == "probekit replay: --exec cannot be used with --format: standard output is that of the command\n")
  }
}
