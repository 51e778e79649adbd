import Foundation
import Testing

@testable import Transports
import TestSupport

/// Content codings are decoded as in browsers.
///
/// The results of Chromium and Firefox are stored with the tests of ProbeHTTPWire; `make answer-judges` updates
/// them.
@Suite struct BrowserContentTests {
  struct Seen: Decodable, Hashable, Sendable {
    /// The content, or its length.
    var content: String?
  }

  struct Answer: Decodable, CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: String
    var chromium: Seen
    var firefox: Seen

    var testDescription: String { name }
    var wire: [UInt8] { bytes.unicodeScalars.map { UInt8($0.value) } }
  }

  private struct File: Decodable {
    var answers: [Answer]
  }

  /// All unusual responses that were tested in browsers.
  static let all: [Answer] = {
    let file = projectFile("Tests/Unit/ProbeHTTPWireTests/Browsers/seen.json")
    return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).answers) ?? []
  }()

  static let answers = all.filter { $0.bytes.contains("Content-Encoding:") }

  @Test func recordedResponsesWithContentCodingsExist() {
    #expect(Self.answers.count >= 14)
  }

  @Test(arguments: answers)
  func contentIsDecodedAsInChromiumOrFirefox(_ answer: Answer) throws {
    let end = try #require(answer.wire.firstRange(of: Array("\r\n\r\n".utf8)))
    let lines = String(decoding: answer.wire[..<end.lowerBound], as: UTF8.self).split { $0.isNewline }
    let field = try #require(lines.first { $0.hasPrefix("Content-Encoding:") })
    let codings = field.dropFirst(17).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let decoded = Decoded(Array(answer.wire[end.upperBound...]), codings, isAsBrowsers: true)
    let content =
      decoded.body.count > 100 ? "\(decoded.body.count) bytes" : String(decoding: decoded.body, as: UTF8.self)
    let ours = Seen(content: decoded.fault == nil ? content : nil)
    #expect([answer.chromium, answer.firefox].contains(ours), "\(ours)")
  }
}
