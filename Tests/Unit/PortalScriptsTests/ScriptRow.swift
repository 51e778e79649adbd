import Foundation
import ProbeCore
import Testing

import TestSupport
@testable import PortalScripts

/// A script or a page from Tests/Judges/ScriptJudges, and the URL that a browser opens.
struct ScriptRow: Sendable, CustomTestStringConvertible {
  let text: String
  let url: String

  var testDescription: String { text }

  private static func absolute(_ url: String) throws -> String {
    try #require(ProbeURL("http://probe.example/x?url=%2Fw%3Fq&b=2").resolve(url)).string
  }

  /// The completely known URLs that it opens automatically.
  func urls(_ findings: (String) throws -> ScriptFindings) throws -> [String] {
    try findings(text).redirects.filter { $0.isWhole && $0.isImmediate }.map {
      try Self.absolute($0.reference)
    }
  }

  /// The rows of a file below a heading.
  static func below(_ heading: String, in file: String) throws -> [ScriptRow] {
    let location = projectFile("Tests/Judges/ScriptJudges/\(file)")
    let lines = try String(contentsOf: location, encoding: .utf8).split(separator: "\n")
    let below = Array(lines.drop { $0 != "[\(heading)]" }.dropFirst().prefix { !$0.hasPrefix("[") })
    return try stride(from: 0, to: below.count - 1, by: 2).map {
      ScriptRow(text: String(below[$0]), url: try absolute(String(below[$0 + 1].dropFirst(2))))
    }
  }
}
