import BundledPlugins
import FixtureReplay
import FoundationEssentials
import ProbeCore
import ProbePipeline
import Testing

@testable import ProbeCommand
import TestSupport
@testable import CommandKit

/// The reference in `docs` and its sources.
@Suite struct ReferenceTests {
  private static let root = projectRoot

  /// Run `make reference` when this fails.
  @Test func theDocumentsMatchTheProgramsOutput() throws {
    let plugins = try PluginRegistry.bundled
    let commands = CommandLineTool.commands(over: plugins).map {
      $0.outline(for: ToolName(version: probeKitVersion))
    }
    let manual = Manual(of: ToolName(version: probeKitVersion), commands: commands, plugins: plugins)
    #expect(manual.pages.count == commands.count + 4)
    for page in manual.pages {
      let file = Self.root.appending(path: "docs/\(page.markdownPath)")
      let isCurrent =
        try String(contentsOf: file, encoding: .utf8)
        == MarkdownPage(page, of: ToolName(version: probeKitVersion)).description
      #expect(isCurrent, "docs/\(page.markdownPath)")
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "docs/cli").path)
    #expect(Set(files) == Set((commands.map(\.name) + ["probekit"]).map { "\($0).md" }))
  }

  @Test func everyKeyOfAFileHasASummary() throws {
    let schemas = [PipelineSchema(try .bundled).schema, FixtureSchema.schema]
    let rows = schemas.flatMap { SchemaRows($0).groups.flatMap(\.rows) }
    #expect(rows.count > 150)
    for row in rows {
      #expect(row.summary?.isEmpty == false, "\(row.path)")
      #expect(row.summary?.hasSuffix(".") != true, "\(row.path)")
    }
  }

  @Test func everyValidatorHasASummaryAndAnExample() throws {
    let page = ManualPage.pipeline(of: ToolName(version: probeKitVersion), over: try .bundled)
    let examples = page.parts.flatMap(\.blocks).flatMap { block -> [(code: String, meaning: String)] in
      if case .examples(let examples) = block { return examples }
      return []
    }
    #expect(examples.count == (try PluginRegistry.bundled.validators.names.count))
    #expect(examples.allSatisfy { $0.meaning != "a validator" })
  }

  @Test func aSchemaBecomesRowsAndGroups() {
    let schema = ValueSchema.mapping([
      .key("name", .text, required: true, summary: "its name"),
      .key(
        "items",
        .list(
          of: .anyOf([.text(examples: ["x"]), .mapping([.key("url", .text, required: true)])]), atLeast: 1)),
      .key(
        "tree",
        .named(
          "tree",
          .anyOf([
            .mapping([.key("leaf", .boolean, required: true), .key("size", .byteCount, default: "0")]),
            .mapping([.key("all", .list(of: .reference("tree")), required: true)]),
          ]))),
      .key("hosts", .mapping([], others: .mapping([.key("port", .integer(in: 1...9))]))),
      .key("either", .oneOrMore(of: .choice(["a", "b"])), default: "a"),
    ])
    let rows = SchemaRows(schema)
    #expect(rows.groups.map(\.name) == [nil, "tree"])
    #expect(
      rows.groups[0].rows.map { [$0.path, $0.value, $0.defaultValue] } == [
        ["name", "text", "required"], ["items", "non-empty list of (text such as x or mapping)", ""],
        ["items[].url", "text", "required"], ["tree", "tree", ""],
        ["hosts", "mapping of names to mapping", ""], ["hosts.*.port", "integer from 1 to 9", ""],
        ["either", "a or b, or a list of these", "a"],
      ])
    #expect(rows.groups[1].forms == ["leaf, size (optional)", "all"])
    #expect(
      rows.groups[1].rows.map { [$0.path, $0.value, $0.defaultValue] } == [
        ["leaf", "true or false", ""], ["size", "size", "0"], ["all", "list of tree", ""],
      ])
  }

  @Test func everyTraitOfAReasonCodeHasAName() {
    let traits = ReasonCode.all.reduce(ReasonCode.Traits()) { $0.union($1.traits) }
    let named = ReasonCode.Traits.named.reduce(ReasonCode.Traits()) { $0.union($1.trait) }
    #expect(traits.subtracting(named).isEmpty)
    #expect(ReasonCode.dnsFailure.traits.words == ["transient", "lookup", "no exchange"])
  }
}
