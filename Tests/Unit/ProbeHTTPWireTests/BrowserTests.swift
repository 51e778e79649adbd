import Foundation
import ProbeHTTPWire
import TestRequirements
import Testing

/// Unusual responses are read as in browsers.
///
/// The results of Chromium and Firefox are stored with this file; `make response-judges` updates them.
@Suite struct BrowserTests {
  /// The result of a program.
  struct Seen: Decodable, Hashable {
    var status: Int?
    var field: String?
    var content: String?
    /// The part of the response that was refused.
    var refused: String?
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

  static let responses: [RecordedResponse] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Browsers/seen.json")
    return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).responses) ?? []
  }()

  /// Responses that are read differently from both browsers, and the reasons.
  static let deviations = [
    "ICY": "the status line of radio streams, which no server that a probe asks speaks"
  ]

  /// The reader's result for a response that is received in pieces, followed by the end of the connection.
  static func read(_ bytes: [UInt8], part: Int) -> Seen {
    var (reader, seen, content) = (ResponseReader(), Seen(), [UInt8]())
    var (unread, isEnded): ([UInt8], Bool) = ([], false)
    var rest = bytes[...]
    do throws(HTTPMessageError) {
      while true {
        var offset = 0
        let event = try reader.next(unread.span, &offset, isEnded: isEnded)
        switch event {
        case .interim: break
        case .head(let parts, let head):
          let lines = Array(unread[head])
          seen.status = parts.status.status
          let values = parts.fields.filter { $0.isNamed("x-a", in: lines.span) }.map { field in
            // A fold is one space (RFC 9112 §5.2).
            Self.latin1(lines[field.value]).split { $0.isNewline || $0 == " " || $0 == "\t" }.joined(
              separator: " ")
          }
          seen.field = values.isEmpty ? nil : values.joined(separator: ", ")
        case .content(let range): content += unread[range]
        case .end:
          seen.content = Self.latin1(content[...])
          return seen
        case .needsMore:
          if isEnded {
            seen.refused = seen.status == nil ? "head" : "content"
            return seen
          }
          unread.removeFirst(offset)
          offset = 0
          isEnded = rest.isEmpty
          unread += rest.prefix(part)
          rest = rest.dropFirst(part)
        }
        unread.removeFirst(offset)
      }
    } catch {
      seen.refused = seen.status == nil ? "head" : "content"
      return seen
    }
  }

  private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The relevant part: whether the head was rejected or its content, and the same for the body.
  private static func comparable(_ seen: Seen, _ response: RecordedResponse) -> Seen {
    if seen.status == nil { return Seen(refused: "head") }
    var seen = seen
    if let field = seen.field, field.utf8.count > 100 { seen.field = "\(field.utf8.count) bytes" }
    if seen.refused != nil { seen.content = nil }
    // The reader does not decode content; the browsers reported decoded content.
    if response.bytes.lowercased().contains("content-encoding:") || response.name.contains("gzip") {
      (seen.content, seen.refused) = (nil, nil)
    }
    return seen
  }

  @Test func recordedResponsesExist() {
    #expect(Self.responses.count > 100)
    #expect(Self.deviations.keys.allSatisfy { name in Self.responses.contains { $0.name == name } })
  }

  @Test(.heavy, arguments: responses)
  func responsesAreReadAsInChromiumOrFirefox(_ response: RecordedResponse) {
    let whole = Self.read(response.wire, part: response.wire.count + 1)
    for part in 1...5 { #expect(Self.read(response.wire, part: part) == whole, "in parts of \(part)") }
    let ours = Self.comparable(whole, response)
    let browsers = [
      Self.comparable(response.chromium, response), Self.comparable(response.firefox, response),
    ]
    #expect(
      browsers.contains(ours) == (Self.deviations[response.name] == nil), "\(ours) instead of \(browsers)")
  }
}
