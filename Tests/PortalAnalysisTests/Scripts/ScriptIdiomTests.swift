import Foundation
import ProbeCore
import Testing

@testable import PortalAnalysis

/// Scripts as pages have them, each with the URL that node.js opens (`make script-judges`): closures, `this`, arrays, objects,
/// loops, destructuring, classes, `URL` and `URLSearchParams`, and texts.
@Suite struct ScriptIdiomTests {
  /// A script, and the URL that it opens.
  struct Row: Sendable, CustomTestStringConvertible {
    let script: String
    let url: String

    var testDescription: String { script }
  }

  private static let page = "http://probe.example/x?url=%2Fw%3Fq&b=2"

  @Test(arguments: try rows("followed"))
  func theURLIsThatOfABrowser(_ row: Row) throws {
    #expect(try Self.urls(of: row.script) == [Self.absolute(row.url)])
  }

  /// What is not followed leads to an unknown URL, or to none, and never to another one.
  @Test(arguments: try rows("not followed"))
  func noOtherURLIsBelieved(_ row: Row) throws {
    let expected = try Self.absolute(row.url)
    #expect(try Self.urls(of: row.script).allSatisfy { $0 == expected })
  }

  @Test func thereAreManyOfBoth() throws {
    #expect(try Self.rows("followed").count > 100)
    #expect(try Self.rows("not followed").count > 100)
  }

  private static func absolute(_ url: String) throws -> String? { try ProbeURL(page).resolve(url)?.string }

  /// The URLs that a script opens by itself, as far as they are completely known.
  private static func urls(of script: String) throws -> [String?] {
    try findings(script, page: page).redirects.filter { $0.isWhole && $0.isImmediate }.map {
      try absolute($0.reference)
    }
  }

  /// The scripts below a heading.
  private static func rows(_ heading: String) throws -> [Row] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../ScriptJudges/scripts.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let below = Array(lines.drop { $0 != "[\(heading)]" }.dropFirst().prefix { !$0.hasPrefix("[") })
    return stride(from: 0, to: below.count - 1, by: 2).map {
      Row(script: String(below[$0]), url: String(below[$0 + 1].dropFirst(2)))
    }
  }
}
