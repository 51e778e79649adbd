import Foundation
import Testing

@testable import Transports
import TestSupport

/// Content codings are decoded as in browsers.
///
/// The results of Chromium and Firefox are stored with the tests of ProbeHTTPWire; `make response-judges` updates
/// them.
@Suite struct BrowserContentTests {
  struct Seen: Decodable, Hashable, Sendable {
    /// The content, or its length.
    var content: String?
  }

  struct RecordedResponse: Decodable, CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: String
    var chromium: Seen
    var firefox: Seen

    var testDescription: String { name }
    var wire: [UInt8] { bytes.unicodeScalars.map { UInt8($0.value) } }
  }

  private struct File: Decodable {
    var responses: [RecordedResponse]

    private enum CodingKeys: String, CodingKey {
      case responses = "answers"
    }
  }

  /// All unusual responses that were tested in browsers.
  static let all: [RecordedResponse] = {
    let file = projectFile("Tests/Unit/ProbeHTTPWireTests/Browsers/seen.json")
    return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).responses) ?? []
  }()

  static let responses = all.filter { $0.bytes.contains("Content-Encoding:") }

  @Test func recordedResponsesWithContentCodingsExist() {
    #expect(Self.responses.count >= 14)
  }

  @Test(arguments: responses)
  func contentIsDecodedAsInChromiumOrFirefox(_ response: RecordedResponse) throws {
    let end = try #require(response.wire.firstRange(of: Array("\r\n\r\n".utf8)))
    let lines = String(decoding: response.wire[..<end.lowerBound], as: UTF8.self).split { $0.isNewline }
    let field = try #require(lines.first { $0.hasPrefix("Content-Encoding:") })
    let codings = field.dropFirst(17).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let decoded = Decoded(Array(response.wire[end.upperBound...]), codings, isAsBrowsers: true)
    let content =
      decoded.body.count > 100 ? "\(decoded.body.count) bytes" : String(decoding: decoded.body, as: UTF8.self)
    let ours = Seen(content: decoded.codingError == nil ? content : nil)
    #expect([response.chromium, response.firefox].contains(ours), "\(ours)")
  }
}
