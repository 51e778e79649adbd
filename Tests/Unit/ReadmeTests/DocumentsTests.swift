import Foundation
import PortalAnalysis
import TestRequirements
import Testing

/// Everything that the pages refer to exists: tests, types, files, links and `make` targets.
@Suite(.heavy) struct DocumentsTests {
  private static let root = MarkdownPage.root

  /// The README and the pages in `docs`.
  private static func pages() throws -> [MarkdownPage] {
    try [MarkdownPage("README.md")] + MarkdownPage.pages(in: "docs")
  }

  /// The code spans on a page, and the words of its code blocks.
  private static func code(in page: String) -> [String] {
    var words: [String] = []
    for (number, part) in page.components(separatedBy: "```").enumerated() {
      if number.isMultiple(of: 2) {
        words += part.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
      } else {
        words += part.split(separator: "\n").flatMap { $0.split(separator: " ").map(String.init) }
      }
    }
    return words
  }

  /// The tests of all suites as `Suite.test`, without the backticks of names with spaces.
  private static func tests(in folder: String = "Tests") throws -> Set<String> {
    var tests: Set<String> = []
    let folder = root.appending(path: folder).path
    // A pattern is compiled once, not for each of a hundred thousand lines.
    let type = /^(?:@Suite.* )?(?:struct|extension|final class) (\w+)/
    let function = /func (?:`([^`]+)`|(\w+))\(/
    for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init()
    where file.hasSuffix(".swift") {
      var suite = ""
      var isTest = false
      for line in try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n") {
        if let first = line.utf8.first, first != 0x20, let match = line.firstMatch(of: type) {
          suite = String(match.output.1)
        }
        isTest = isTest || line.contains("@Test")
        if isTest, line.contains("func "), let match = line.firstMatch(of: function) {
          tests.insert("\(suite).\(match.output.1 ?? match.output.2 ?? "")")
          isTest = false
        }
      }
    }
    return tests
  }

  @Test func everyKindOfResponseIsInTheTable() throws {
    let table = try MarkdownPage("docs/verdicts.md").text.components(
      separatedBy: "| kind | the response is |")[1]
    let rows = table.split(separator: "\n").dropFirst().prefix { $0.hasPrefix("| `") }
    #expect(rows.map { $0.split(separator: "`")[1] } == ResponseKind.all.map { Substring($0.name) })
  }

  @Test func everyReferencedTestExists() throws {
    let tests = try Self.tests()
    #expect(tests.count > 1000)
    var named = 0
    for page in try Self.pages() {
      for word in Self.code(in: page.text) where word.contains(/^\w+Tests\.\w/) {
        named += 1
        let isThere = tests.contains(word)
        #expect(isThere, "\(page.path): there is no test \(word)")
      }
    }
    #expect(named > 100)
  }

  @Test func everyPromiseNamesATest() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/threat-model.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| promise ")
    }
    #expect(rows.count > 30)
    for row in rows {
      let cells = row.split(separator: " | ")
      #expect(cells.count == 2 && cells[1].contains(/^`\w+Tests\.\w/), "\(row)")
    }
  }

  @Test func everyAttackIsInTheTable() throws {
    let page = try String(contentsOf: Self.root.appending(path: "docs/quality.md"), encoding: .utf8)
    let named = Set(Self.code(in: page))
    let attacks = try Self.tests(in: "Tests/Unit/AttackTests")
    #expect(!attacks.isEmpty)
    #expect(attacks.isSubset(of: named), "not in the table: \(attacks.subtracting(named).sorted())")
  }

  /// Every type declared in the folders, every module, and every other folder.
  private static func types(in folders: [String]) throws -> Set<String> {
    var types: Set<String> = []
    let kinds = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    let words = Set(kinds.map { Substring($0) })
    for folder in folders {
      let path = root.appending(path: folder).path
      for case let file as String in FileManager.default.enumerator(atPath: path) ?? .init() {
        if let name = file.split(separator: "/").last, !name.contains(".") { types.insert(String(name)) }
        guard file.hasSuffix(".swift") else { continue }
        for line in try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8).split(separator: "\n") {
          guard kinds.contains(where: { line.contains($0) }) else { continue }
          let parts = line.split { !$0.isLetter && !$0.isNumber }
          for (word, name) in zip(parts, parts.dropFirst()) where words.contains(word) {
            types.insert(String(name))
          }
        }
      }
    }
    return types
  }

  @Test func everyReferencedTypeExists() throws {
    let types = try Self.types(in: ["Sources", "Plugins", "Tests"])
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "Sources/Probing/ProbeCore/ProbeCore.docc").path
    ).map { $0.replacing(".md", with: "") }
    // Words from Swift and libFuzzer, and names in this repository that are not types.
    let others: Set = [
      "String", "Regex", "Codable", "TaskExecutor", "FoundationEssentials", "LLVMFuzzerTestOneInput",
      "Makefile", "Snapshots", "Examples", "ProbeCommand", "Foundation", "Zstandard",
    ]
    let known = types.union(others).union(pages)
    for name in ["architecture.md", "contributing.md"] {
      let page = try String(contentsOf: Self.root.appending(path: "docs/\(name)"), encoding: .utf8)
      let named = Set(
        Self.code(in: page).filter { $0.contains(/^[A-Z][a-z]\w+$/) || $0.contains(/^[A-Z]{2,}[a-z]\w+$/) })
      #expect(named.count > 5)
      let unknown = named.subtracting(known)
      #expect(unknown.isEmpty, "\(name): there is no \(unknown)")
    }
  }

  /// A placeholder in a path, such as `NAME`, ends the part that is checked.
  @Test func everyReferencedFileExists() throws {
    // Build products exist only after a build.
    let top = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).filter { $0 != ".build" }
    let ignored = try String(contentsOf: Self.root.appending(path: ".gitignore"), encoding: .utf8)
      .split(separator: "\n")
    var named = 0
    for page in try Self.pages() where page.path != "docs/engines-matrix.md" {
      for word in Self.code(in: page.text) {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, top.contains(String(parts[0])) else { continue }
        let known = parts.prefix { !$0.contains(/[A-Z]{4}|…|\*|{/) }.joined(separator: "/")
        if ignored.contains(where: { known.hasPrefix($0) }) { continue }
        named += 1
        let isThere = FileManager.default.fileExists(atPath: Self.root.appending(path: known).path)
        #expect(isThere, "\(page.path): there is no \(known)")
      }
    }
    #expect(named > 50)
  }

  @Test func makeTargetsMatchTheirDocumentation() throws {
    let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = Set(makefile.matches(of: /(?m)^([a-z-]+):/).map { String($0.output.1) })
    var named: Set<String> = []
    for page in try Self.pages() {
      for match in page.text.matches(of: /`make ([a-z-]+)/) { named.insert(String(match.output.1)) }
      // In a block of commands.
      for match in page.text.matches(of: /(?m)^make ([a-z-]+)/) { named.insert(String(match.output.1)) }
    }
    let unknown = named.subtracting(targets)
    #expect(unknown.isEmpty, "\(unknown)")
    let unreported = targets.subtracting(named).subtracting(["all"])
    #expect(unreported.isEmpty, "the table of docs/contributing.md does not tell of \(unreported)")
  }

  /// Checks files and headings; links to the web are not requested.
  @Test func everyLinkHasATarget() throws {
    var pages: [String: MarkdownPage] = [:]
    let all = try MarkdownPage.all() + [MarkdownPage("CHANGELOG.md")]
    for page in all { pages[page.path] = page }
    var count = 0
    for page in all {
      for link in page.links where !link.contains(/^[a-z]+:/) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? page.path : page.target(of: String(parts[0]))
        count += 1
        let isThere = FileManager.default.fileExists(atPath: Self.root.appending(path: path).path)
        #expect(isThere, "\(page.path): there is no \(link)")
        guard parts.count > 1, let target = pages[path] else { continue }
        #expect(target.anchors.contains(String(parts[1])), "\(page.path): no heading for \(link)")
      }
    }
    #expect(count > 150)
  }
}
