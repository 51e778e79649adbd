internal import HTTPWire
import ProbeCore

/// An answer taken apart, so that what a recording has left out can be put right; everything else stays byte for byte.
struct RecordedAnswer {
  /// One line of a head with its end and with the folded lines behind it.
  struct Field {
    /// The name in lower case, empty for a line that is no field.
    var name: String
    var bytes: [UInt8]
  }

  /// A status line and what follows it up to the empty line.
  struct Head {
    /// The status line with its end.
    var statusLine: [UInt8]
    var fields: [Field]
    /// The empty line, or nothing when the answer ends before it.
    var emptyLine: [UInt8]
  }

  /// The heads of interim responses in front of the answer.
  var interim: [Head] = []
  var head: Head
  var body: [UInt8]

  /// An answer from its parts.
  init(head: Head, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// An answer from its bytes, interim responses in front of it included.
  ///
  /// - Returns: nil when they do not begin as an answer of HTTP.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard var (head, rest) = Self.head(at: bytes) else { return nil }
    while head.isInterim, let next = Self.head(at: rest) {
      interim.append(head)
      (head, rest) = next
    }
    self.head = head
    body = Array(rest)
  }

  /// The whole answer.
  var bytes: [UInt8] {
    (interim + [head]).flatMap(\.bytes) + body
  }
}

extension RecordedAnswer {
  /// Whether bytes begin as a head does.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    StatusLine.starts(in: bytes.span, at: 0)
  }

  private static func head(at bytes: ArraySlice<UInt8>) -> (Head, rest: ArraySlice<UInt8>)? {
    guard begins(bytes) else { return nil }
    let lines = HeadLines(bytes.span)
    func line(_ range: Range<Int>) -> [UInt8] { Array(bytes.dropFirst(range.lowerBound).prefix(range.count)) }
    let head = Head(
      statusLine: line(lines.startLine), fields: lines.fields.map { Field(line: line($0)) },
      emptyLine: line(lines.emptyLine))
    return (head, bytes.dropFirst(lines.end))
  }
}

extension RecordedAnswer.Head {
  var bytes: [UInt8] {
    statusLine + fields.flatMap(\.bytes) + emptyLine
  }

  /// The status code, or nil when there is none.
  var status: Int? { status(of: statusLine)?.status }

  /// Whether the answer is still to come behind it.
  var isInterim: Bool { status(of: statusLine)?.isInterim ?? false }

  private func status(of line: [UInt8]) -> StatusLine? { StatusLine(line.indices, of: line.span) }

  /// The value of the first field with this name, given in lower case.
  func value(of name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Makes HTTP/2 and HTTP/3 HTTP/1.1.
  ///
  /// - Returns: Whether it was another version.
  mutating func speakHTTP1() -> Bool {
    let version = statusLine.prefix { $0 != 0x20 && !$0.isLineSpace }
    guard ["HTTP/2", "HTTP/2.0", "HTTP/3", "HTTP/3.0"].contains(where: { version.elementsEqual($0.utf8) })
    else { return false }
    statusLine.replaceSubrange(..<version.endIndex, with: "HTTP/1.1".utf8)
    return true
  }

  /// Lets Content-Length be the length of a body, where it or a field to be left out stood, or else at the end.
  ///
  /// - Parameters:
  ///   - length: The length.
  ///   - names: The fields to leave out besides, in lower case.
  mutating func setLength(_ length: Int, without names: Set<String> = []) {
    let place =
      fields.firstIndex { $0.name == "content-length" } ?? fields.firstIndex { names.contains($0.name) }
    let field = RecordedAnswer.Field(line: Array("Content-Length: \(length)\r\n".utf8))
    var mended: [RecordedAnswer.Field] = []
    for (index, old) in fields.enumerated() {
      if index == place {
        mended.append(field)
      } else if old.name != "content-length", !names.contains(old.name) {
        mended.append(old)
      }
    }
    fields = place == nil ? mended + [field] : mended
  }
}

extension RecordedAnswer.Field {
  /// A field from its line and the lines folded to it.
  init(line: [UInt8]) {
    let name = FieldPlace(line.indices, of: line.span).map { line[$0.name] } ?? []
    self.init(name: String(decoding: name, as: UTF8.self).lowercased(), bytes: line)
  }

  /// The value without the white space around it.
  var value: String {
    let value = FieldPlace(bytes.indices, of: bytes.span).map { bytes[$0.value] } ?? []
    return String(decoding: value, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is white space that may stand around a value or at the end of a line.
  var isLineSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
