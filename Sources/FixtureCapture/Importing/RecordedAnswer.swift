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
    bytes.starts(with: "HTTP/".utf8) && bytes.dropFirst(5).first.map { (0x30...0x39).contains($0) } == true
  }

  private static func head(at bytes: ArraySlice<UInt8>) -> (Head, rest: ArraySlice<UInt8>)? {
    guard begins(bytes) else { return nil }
    var rest = bytes
    func nextLine() -> ArraySlice<UInt8> {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      defer { rest = rest[end...] }
      return rest[..<end]
    }
    var head = Head(statusLine: Array(nextLine()), fields: [], emptyLine: [])
    while !rest.isEmpty {
      let line = nextLine()
      if line.isLineEnd {
        head.emptyLine = Array(line)
        break
      }
      if line.first == 0x20 || line.first == 0x09, !head.fields.isEmpty {
        head.fields[head.fields.count - 1].bytes += line
      } else {
        head.fields.append(Field(line: Array(line)))
      }
    }
    return (head, rest)
  }
}

extension RecordedAnswer.Head {
  var bytes: [UInt8] {
    statusLine + fields.flatMap(\.bytes) + emptyLine
  }

  /// The status code, or nil when there is none.
  var status: Int? {
    let parts = statusLine.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let code = parts[1].split(whereSeparator: \.isLineSpace).first, code.count == 3
    else { return nil }
    return Int(String(decoding: code, as: UTF8.self))
  }

  /// Whether the answer is still to come behind it; 101 is the last answer of its connection (RFC 9110 §15.2).
  var isInterim: Bool {
    status.map { (100..<200).contains($0) && $0 != 101 } ?? false
  }

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
    let name = line.firstIndex(of: 0x3A).map { line[..<$0] } ?? []
    self.init(
      name: String(decoding: name, as: UTF8.self).lowercased().filter { $0 != " " && $0 != "\t" }, bytes: line
    )
  }

  /// The value without the white space around it.
  var value: String {
    guard let colon = bytes.firstIndex(of: 0x3A) else { return "" }
    let value = bytes[(colon + 1)...].drop(while: \.isLineSpace)
    let end = value.lastIndex { !$0.isLineSpace }.map { $0 + 1 } ?? value.startIndex
    return String(decoding: value[..<end], as: UTF8.self)
  }
}

extension ArraySlice<UInt8> {
  /// Whether it is an empty line.
  var isLineEnd: Bool { elementsEqual([0x0A]) || elementsEqual([0x0D, 0x0A]) }
}

extension UInt8 {
  /// Whether it is white space that may stand around a value or at the end of a line.
  var isLineSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
