import BundledPlugins
import FoundationEssentials
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// The manual, and the help generated from the same pages.
@Suite struct ManualTests {
  /// A command line over the bundled plugins, run in memory.
  private static func run(
    _ arguments: [String], _ program: ToolName = ToolName(version: probeKitVersion),
    environment: [String: String] = [:]
  ) async throws -> (code: ExitCode, output: String, errors: String) {
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let tool = CommandLineTool(name: program.name, version: program.version, plugins: try .bundled)
    let code = await tool.run(
      arguments: arguments.map { Array($0.utf8) }, environment: environment, output: output.sink(),
      errors: errors.sink())
    return (code, output.text, errors.text)
  }

  private static let commands = [
    "check", "run", "lint", "diff", "scan", "replay", "verify", "capture", "monitor", "serve", "portal",
    "login", "profiles",
    "plugin", "schema",
    "completion", "manual",
  ]

  @Test(arguments: commands)
  func theHelpIsTheBeginningOfTheManualPage(_ command: String) async throws {
    let help = try await Self.run([command, "--help"])
    let page = try await Self.run(["manual", command])
    #expect(help.code == .success && page.code == .success)
    #expect(help.output.hasPrefix("Usage: probekit \(command) "))
    #expect(page.output.hasPrefix(help.output))
    #expect(page.output.contains("\nEnvironment:\n") && !help.output.contains("\nEnvironment:\n"))
    #expect(page.output.hasSuffix("probekit-reason-codes(7)\n"))
  }

  @Test(arguments: commands + ["probekit", "pipeline", "fixture", "reason-codes"])
  func everyPageIsAvailableInEveryFormat(_ topic: String) async throws {
    let text = try await Self.run(["manual", topic], environment: ["COLUMNS": "70"])
    #expect(text.output.split(separator: "\n").count > 10)
    let man = try await Self.run(["manual", "--format", "man", topic])
    let section = ["pipeline": 5, "fixture": 5, "reason-codes": 7][topic, default: 1]
    let name =
      topic == "probekit" ? "PROBEKIT" : "PROBEKIT\\-\(topic.uppercased().replacing("-", with: "\\-"))"
    #expect(man.output.hasPrefix(".TH \"\(name)\" \(section) \"\" \"probekit \(probeKitVersion)\" "))
    #expect(man.output.contains("\n.SH \"NAME\"\n") && man.output.contains("\n.SH \"SEE ALSO\"\n"))
    // ASCII only: any terminal can show it, and a man page needs no charset declaration.
    #expect(text.output.utf8.allSatisfy { $0 < 0x80 } && man.output.utf8.allSatisfy { $0 < 0x80 })
    let markdown = try await Self.run(["manual", "--format", "markdown", topic])
    #expect(markdown.output.contains("\n## See also\n"))
  }

  @Test func allPagesArePrintedByDefault() async throws {
    let all = try await Self.run(["manual"])
    let two = try await Self.run(["manual", "schema", "lint"])
    #expect(all.output.components(separatedBy: "\nUsage: ").count == Self.commands.count + 1)
    // In manual order, once each.
    #expect(
      two.output.components(separatedBy: "Usage: ").dropFirst().map { $0.prefix(14) } == [
        "probekit lint ", "probekit schem",
      ])
  }

  static let mistakes: [(arguments: [String], error: String)] = [
    (["chekc"], "\"chekc\": there is no such page: did you mean check?"),
    (["pipelines"], "\"pipelines\": there is no such page: did you mean pipeline?"),
    (["--output", ""], "--output: the path is empty: name a folder"),
    (["--format", "roff"], "--format: \"roff\" is not a format: use text, man or markdown"),
  ]

  @Test(arguments: mistakes)
  func errorsAreReported(_ arguments: [String], error: String) async throws {
    let run = try await Self.run(["manual"] + arguments)
    #expect(run.code == .usage)
    #expect(run.errors == "probekit manual: \(error)\n")
  }

  @Test func theErrorForAnUnknownPageListsAllPages() async throws {
    let run = try await Self.run(["manual", "xyzzy"])
    let topics = ["probekit"] + Self.commands + ["pipeline", "fixture", "reason-codes"]
    #expect(run.errors.hasSuffix("there is no such page: use \(topics.alternatives)\n"))
  }

  @Test func pagesAreWrittenAsFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "manual-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for format in ["man", "markdown"] {
      let run = try await Self.run(["manual", "--format", format, "--output", "\(folder)/\(format)"])
      #expect(run.code == .success)
      #expect(run.output.isEmpty && run.errors.isEmpty)
    }
    let man = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/man").sorted()
    let expected =
      ["probekit.1", "probekit-pipeline.5", "probekit-fixture.5", "probekit-reason-codes.7"]
      + Self.commands.map { "probekit-\($0).1" }
    #expect(man == expected.sorted())
    let pages = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/markdown").sorted()
    #expect(pages == ["cli", "fixture-reference.md", "pipeline-reference.md", "reason-codes.md"])
    let commandPages = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/markdown/cli")
    #expect(Set(commandPages) == Set((Self.commands + ["probekit"]).map { "\($0).md" }))
    let one = try await Self.run(["manual", "--format", "man", "check"])
    #expect(try String(contentsOfFile: "\(folder)/man/probekit-check.1", encoding: .utf8) == one.output)
  }

  @Test func aFolderThatCannotBeCreatedIsAnError() async throws {
    let run = try await Self.run(["manual", "--output", "/dev/null/x", "check"])
    #expect(run.code == .unavailable)
    #expect(
      run.errors == "probekit manual: /dev/null/x/probekit-check.txt: cannot be written: Not a directory\n")
  }

  static let widths: [(environment: [String: String], width: Int)] = [
    ([:], 80), (["COLUMNS": "60"], 60), (["COLUMNS": "20"], 40), (["COLUMNS": "500"], 100),
    (["COLUMNS": "0"], 80), (["COLUMNS": "wide"], 80),
  ]

  @Test(arguments: widths)
  func theHelpIsWrappedToTheWidthInCOLUMNS(environment: [String: String], width: Int) async throws {
    for command in ["check", "monitor", "profiles"] {
      let run = try await Self.run([command, "--help"], environment: environment)
      let widest =
        run.output.split(separator: "\n").filter { !$0.hasPrefix("  probekit") }
        .filter { $0.split(separator: " ").count > 1 && !$0.hasPrefix("  --") && !$0.hasPrefix("Usage") }
        .map(\.count).max() ?? 0
      #expect(widest <= width && widest > width - 15, "\(command): \(widest)")
    }
  }

  @Test func aCustomProgramNameIsUsedThroughout() async throws {
    let shop = ToolName(name: "shopprobe", version: "1.4")
    var texts = [try await Self.run(["--help"], shop).output, try await Self.run(["manual"], shop).output]
    for command in Self.commands { texts.append(try await Self.run([command, "--help"], shop).output) }
    for format in ["man", "markdown"] {
      texts.append(try await Self.run(["manual", "--format", format], shop).output)
    }
    for shell in CompletionCommand.shells {
      texts.append(try await Self.run(["completion", shell], shop).output)
    }
    for arguments in [
      [], ["chekc"], ["http://a/"], ["--x"], ["check", "--x"], ["manual", "x"], ["run"], ["schema", "y"],
    ] {
      texts.append(try await Self.run(arguments, shop).errors)
    }
    for text in texts {
      #expect(text.contains("shopprobe"))
      // Only names of files, variables and a DNS record remain.
      let own = text.matches(of: /probekit(?!\.prom|\.schema\.json|\.test)/.wordBoundaryKind(.simple))
      #expect(own.isEmpty, "\(own.first.map { text[$0.range.lowerBound...].prefix(80) } ?? "")")
    }
    let version = try await Self.run(["--version"], shop).output
    #expect(version.hasPrefix("shopprobe 1.4 (ProbeKit \(probeKitVersion))\nLibraries: "), "\(version)")
    #expect(try await Self.run(["manual", "shopprobe"], shop).code == .success)
    #expect(try await Self.run(["manual", "probekit"], shop).code == .usage)
  }

  @Test func roffIsEscaped() {
    #expect(RoffPage.escaped(".SH x") == "\\&.SH x")
    #expect(RoffPage.escaped("'x' - \\n") == "\\(aqx\\(aq \\- \\en")
    #expect(RoffPage.escaped("~/x `y` ^z") == "\\(ti/x \\(gay\\(ga \\(haz")
    var page = ManualPage(
      topic: "x", name: "a-b", section: 5, title: "X", summary: "it's \"x\"", markdownPath: "x.md")
    page.parts = [
      ManualPage.Part(
        title: "A \"b\"", blocks: [.table(titles: ["a", "b", "c"], rows: [[".x", "-y", "z"]])])
    ]
    let text = RoffPage(page, of: ToolName(name: "p", version: "1")).description
    #expect(
      text == """
        .TH "A\\-B" 5 "" "p 1" "File Formats"
        .nh
        .ad l
        .SH "NAME"
        a\\-b \\- it\\(aqs "x"
        .SH "A \\(dqB\\(dq"
        .TP
        \\fB\\&.x\\fR
        \\-y (c: z)

        """)
  }

  @Test func markdownIsEscaped() {
    var page = ManualPage(
      topic: "x", name: "x", section: 1, title: "x", summary: "a * b <c>", markdownPath: "cli/x.md")
    page.parts = [
      ManualPage.Part(
        title: "Keys",
        blocks: [.table(titles: ["key", "meaning"], rows: [["v4|v6", "a|b $x"], ["`", "\\"]])])
    ]
    page.related = [
      ManualPage.Reference(topic: "y", name: "y", section: 1, markdownPath: "cli/y.md"),
      ManualPage.Reference(topic: "z", name: "z", section: 5, markdownPath: "z.md"),
    ]
    let text = MarkdownPage(page, of: ToolName(name: "p", version: "1")).description
    #expect(
      text == """
        <!-- Written by p manual. Do not edit. -->

        # x

        a \\* b \\<c>.

        ## Keys

        | key | meaning |
        | --- | --- |
        | `v4\\|v6` | a\\|b \\$x |
        | `` ` `` | \\\\ |

        ## See also

        [y](y.md) · [z](../z.md)

        """)
  }
}
