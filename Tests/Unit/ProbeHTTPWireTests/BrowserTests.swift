import Foundation
import ProbeHTTPWire
import TestRequirements
import Testing

/// Unusual responses are read as in browsers.
///
/// The results of Chromium and Firefox are stored with this file; `make answer-judges` updates them.
@Suite struct BrowserTests {
  /// The result of a program.
  struct Seen: Decodable, Hashable {
    var status: Int?
    var field: String?
    var content: String?
    /// The part of the response that was refused.
    var refused: String?
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

  static let answers: [Answer] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Browsers/seen.json")
    return (try? JSONDecoder().decode(File.self, from: Data(contentsOf: file)).answers) ?? []
  }()

  /// Responses that are read differently from both browsers, and the reasons.
  static let deviations = [
    "ICY": "the status line of radio streams, which no server that a probe asks speaks"
  ]

  /// The reader's result for a response that is received in pieces, followed by the end of the connection.
  static func read(_ bytes: [UInt8], part: Int) -> Seen {
    var (reader, seen, content) = (ResponseReader(), Seen(), [UInt8]())
    var (unread, ended): ([UInt8], Bool) = ([], false)
    var rest = bytes[...]
    do throws(WireFault) {
      while true {
        var place = 0
        let event = try reader.next(unread.span, &place, isEnded: ended)
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
          if ended {
            seen.refused = seen.status == nil ? "head" : "content"
            return seen
          }
          unread.removeFirst(place)
          place = 0
          ended = rest.isEmpty
          unread += rest.prefix(part)
          rest = rest.dropFirst(part)
        }
        unread.removeFirst(place)
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
  private static func comparable(_ seen: Seen, _ answer: Answer) -> Seen {
    if seen.status == nil { return Seen(refused: "head") }
    var seen = seen
    if let field = seen.field, field.utf8.count > 100 { seen.field = "\(field.utf8.count) bytes" }
    if seen.refused != nil { seen.content = nil }
    // The reader does not decode content; the browsers reported decoded content.
    if answer.bytes.lowercased().contains("content-encoding:") || answer.name.contains("gzip") {
      (seen.content, seen.refused) = (nil, nil)
    }
    return seen
  }

  @Test func recordedResponsesExist() {
    #expect(Self.answers.count > 100)
    #expect(Self.deviations.keys.allSatisfy { name in Self.answers.contains { $0.name == name } })
  }

  @Test(.heavy, arguments: answers)
  func responsesAreReadAsInChromiumOrFirefox(_ answer: Answer) {
    let whole = Self.read(answer.wire, part: answer.wire.count + 1)
    for part in 1...5 { #expect(Self.read(answer.wire, part: part) == whole, "in parts of \(part)") }
    let ours = Self.comparable(whole, answer)
    let browsers = [Self.comparable(answer.chromium, answer), Self.comparable(answer.firefox, answer)]
    #expect(
      browsers.contains(ours) == (Self.deviations[answer.name] == nil), "\(ours) instead of \(browsers)")
  }
}
