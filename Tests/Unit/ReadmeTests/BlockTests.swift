import BundledPlugins
import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestRequirements
import Testing

@testable import ProbeCommand
import CommandKit

/// The code blocks on all pages are valid; ``ConsoleTests`` runs the `console` blocks.
@Suite(.heavy) struct BlockTests {
  /// Every source file of this target.
  private static func snippets() throws -> Set<String> {
    let folder = MarkdownPage.root.appending(path: "Tests/Unit/ReadmeTests").path
    var texts: Set<String> = []
    for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where file.hasSuffix(".swift") {
      texts.insert(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
    }
    return texts
  }

  @Test func everyFenceHasAKnownLanguage() throws {
    let known: Set = ["", "console", "ini", "json", "mermaid", "sh", "swift", "text", "yaml"]
    for page in try MarkdownPage.all() {
      #expect(page.text.matches(of: /(?m)^```/).count == page.blocks.count * 2, "\(page.path)")
      for block in page.blocks {
        #expect(known.contains(block.language), "\(page.path): \(block.language)")
      }
    }
  }

  @Test func everySwiftBlockIsCompiled() throws {
    let snippets = try Self.snippets()
    var count = 0
    for page in try MarkdownPage.all() {
      for block in page.blocks where block.language == "swift" {
        let isCompiled =
          snippets.contains(block.text) || Self.exampleFiles.contains(block.text)
          || Self.isFragment(block.text)
        #expect(
          isCompiled,
          "\(page.path): no file of Tests/Unit/ReadmeTests or Examples is this example:\n\(block.text)"
        )
        count += 1
      }
    }
    #expect(count > 25)
  }

  /// Whether each line of a short block occurs in the examples or in their manifests.
  private static func isFragment(_ text: String) -> Bool {
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard lines.count <= 12 else { return false }
    return lines.allSatisfy(exampleLines.contains)
  }

  /// All Swift files of the example packages, including their manifests.
  private static let exampleFiles: Set<String> = {
    let folder = MarkdownPage.root.appending(path: "Examples").path
    let files = FileManager.default.enumerator(atPath: folder) ?? .init()
    let swift = files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && !$0.contains(".build/")
    }
    return Set(swift.compactMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) })
  }()

  /// The lines of these files.
  private static let exampleLines = Set(
    exampleFiles.flatMap { $0.split(separator: "\n") }.map { $0.trimmingCharacters(in: .whitespaces) })

  @Test func noPipelineHasFindings() throws {
    let loader = PipelineLoader(try .bundled)
    var count = 0
    for page in try MarkdownPage.all() {
      for block in page.blocks where ["yaml", "json"].contains(block.language) && block.text.contains("sets")
      {
        guard block.text.contains(/(?m)^version: 1$|"version": 1/) else { continue }
        let findings = loader.load(path: page.path, bytes: Array(block.text.utf8)).findings()
        #expect(findings.isEmpty, "\(findings)")
        count += 1
      }
    }
    #expect(count >= 8)
  }

  @Test func everyYAMLAndJSONBlockIsValid() throws {
    for page in try MarkdownPage.all() {
      for block in page.blocks where ["yaml", "json"].contains(block.language) {
        if block.language == "json" {
          #expect(throws: Never.self, "\(page.path)") {
            try JSONSerialization.jsonObject(with: Data(block.text.utf8))
          }
        }
        let findings = SourceFindings(SourceFile(path: page.path, bytes: Array(block.text.utf8)))
        _ = SourceDocument.read(findings)
        #expect(findings.all.isEmpty, "\(findings.all)")
      }
    }
  }

  /// Command lines are parsed as the command parses them; nothing is run.
  @Test func everyCommandLineIsValid() throws {
    let commands = CommandLineTool.commands(over: try .bundled)
    var count = 0
    for page in try MarkdownPage.all() {
      for line in Self.commandLines(of: page) {
        let words = ShellWords(line).words
        guard let name = words.first else { continue }
        if ["--help", "--version", "help"].contains(name) { continue }
        guard let command = commands.first(where: { $0.name == name }) else {
          Issue.record("\(page.path): there is no command \(name): \(line)")
          continue
        }
        let mistakes = command.mistakes(in: Array(words.dropFirst()))
        #expect(mistakes.isEmpty, "\(page.path): probekit \(line): \(mistakes)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  /// The arguments of `probekit` in the blocks of a page, with continued lines joined.
  private static func commandLines(of page: MarkdownPage) -> [String] {
    page.blocks.filter { ["", "sh", "ini", "yaml"].contains($0.language) }.flatMap { block in
      block.text.replacing(/\\\n */, with: "").split(separator: "\n").compactMap { line in
        line.firstMatch(of: /(?:^|[ =\/(])probekit ((?:[a-z]+(?= |$)|--).*)/).map { String($0.output.1) }
      }
    }
  }
}

extension Subcommand {
  /// The errors in arguments.
  fileprivate func mistakes(in words: [String]) -> [String] {
    let numbered = words.enumerated().map {
      (position: $0.offset + 2, argument: RawArgument(Array($0.element.utf8)))
    }
    let parsed = ArgumentParser.parse(numbered, for: spec)
    return parsed.wantsHelp ? [] : parsed.mistakes
  }
}
