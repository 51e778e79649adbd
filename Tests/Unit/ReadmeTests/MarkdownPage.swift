import Foundation
import Testing
import TestSupport

/// A page of the documentation: its blocks, headings and links.
struct MarkdownPage: Sendable, CustomTestStringConvertible {
  /// A fenced block.
  struct Block: Sendable {
    /// The first word after the fence, such as `swift`; empty if there is none.
    let language: String
    /// The rest of that line: a file's name or a network for ``ConsoleTests``.
    let argument: String
    /// The content of the block, including its last line break.
    let text: String
    /// The range of the content in the page.
    let range: Range<String.Index>
  }

  /// The root of the repository.
  static let root = projectRoot

  /// The path from the root of the repository.
  let path: String
  let text: String
  var testDescription: String { path }

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// Every page for people, except the change log and machine-written reports.
  static func all() throws -> [MarkdownPage] {
    try ["README.md"].map(MarkdownPage.init) + pages(in: "docs") + pages(in: "Examples")
      + pages(in: "fixtures")
      + pages(in: "Benchmarks") + catalogs()
  }

  /// The pages of all DocC catalogs.
  static func catalogs() throws -> [MarkdownPage] {
    try (pages(in: "Sources") + pages(in: "Plugins")).filter { $0.path.contains(".docc/") }
  }

  /// The pages below a folder, in the order of their paths.
  static func pages(in folder: String) throws -> [MarkdownPage] {
    let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path) ?? .init()
    return try files.compactMap { $0 as? String }
      .filter { $0.hasSuffix(".md") && !$0.contains(".build/") }
      .sorted().map { try MarkdownPage("\(folder)/\($0)") }
  }

  /// The fenced blocks in order.
  var blocks: [Block] {
    text.matches(of: /(?m)^```([a-z]*)[ ]?([^\n]*)\n((?s:.*?))^```$/).map { match in
      Block(
        language: String(match.output.1), argument: String(match.output.2), text: String(match.output.3),
        range: match.output.3.startIndex..<match.output.3.endIndex)
    }
  }

  /// The page without its fenced blocks.
  var prose: String {
    text.replacing(/(?m)^```(?s:.*?)^```$/, with: "")
  }

  /// The anchors of the headings, as GitHub generates them.
  var anchors: Set<String> {
    Set(
      prose.matches(of: /(?m)^#+ (.*)$/).map { match in
        String(match.output.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) })
          .replacing(" ", with: "-")
      })
  }

  /// The targets of all links, except those in code.
  var links: [String] {
    prose.replacing(/`[^`\n]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
  }

  /// The target of a relative link on this page, as a path from the root of the repository.
  func target(of link: String) -> String {
    let folder = path.split(separator: "/").dropLast()
    var parts = Array(folder)
    for part in link.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}
