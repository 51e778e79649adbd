internal import ProbeHTTPWire

/// HTTP header fields in wire order, with their original case and duplicates.
///
/// The bytes are stored as received; names and values are converted to text only on access.
public struct HeaderFields: Sendable {
  private var bytes: [UInt8]
  private var positions: [FieldPosition]

  /// Creates an empty collection.
  public init() {
    bytes = []
    positions = []
  }

  /// Creates fields in the given order.
  public init(_ fields: some Sequence<(name: String, value: String)>) {
    self.init()
    for field in fields { append(name: field.name, value: field.value) }
  }

  /// The fields of a head as received (RFC 9112 §5), with lines that end in CRLF or LF.
  ///
  /// Lines without a colon or a name are ignored, white space before the colon is not part of the name (RFC
  /// 9112 §5.1), and a folded line (RFC 9112 §5.2) belongs to the previous line.
  init(_ lines: HeadLines, of head: [UInt8]) {
    let start = lines.startLine.upperBound
    let section = Array(head[start..<lines.end])
    let wire = section.span
    var positions: [FieldPosition] = []
    positions.reserveCapacity(lines.fields.count)
    for line in lines.fields {
      guard let position = FieldPosition((line.lowerBound - start)..<(line.upperBound - start), of: wire)
      else {
        continue
      }
      positions.append(position)
    }
    self.positions = positions
    bytes = section
  }

  /// The fields at these positions of a head as received.
  init(at positions: [FieldPosition], of head: [UInt8]) {
    bytes = head
    self.positions = positions
  }

  /// The total size of the fields in bytes.
  var byteCount: Int { bytes.count }

  /// Appends a field.
  public mutating func append(name: String, value: String) {
    let nameStart = bytes.count
    bytes += name.utf8
    let valueStart = bytes.count
    bytes += value.utf8
    positions.append(FieldPosition(name: nameStart..<valueStart, value: valueStart..<bytes.count))
  }

  /// Removes fields from the end until the rest, including the overhead of each field, fits in `maximum` bytes.
  mutating func shorten(to maximum: Int) {
    var room = maximum
    let kept = positions.prefix { position in
      room -= position.name.count + position.value.count + MemoryLayout<FieldPosition>.size
      return room >= 0
    }
    bytes = Array(bytes[..<(kept.last?.value.upperBound ?? 0)])
    positions = Array(kept)
  }
}

extension HeaderFields: RandomAccessCollection {
  /// One header field.
  public struct Element: Hashable, Sendable {
    /// The name as received.
    public let name: String
    /// The value without surrounding white space; see `String(wireBytes:)` for its decoding.
    public let value: String
  }

  /// The position of the first field.
  public var startIndex: Int { 0 }
  /// The position after the last field.
  public var endIndex: Int { positions.count }

  /// The field at a position.
  public subscript(position: Int) -> Element {
    let span = positions[position]
    return Element(name: String(wireBytes: bytes[span.name]), value: text(span))
  }
}

extension HeaderFields {
  /// The value of the first field with this name, in any case; nil if there is none.
  public subscript(name: String) -> String? {
    positions.first { hasName(name, $0) }.map(text)
  }

  /// The values of all fields with this name, in any case, in wire order.
  public func values(for name: String) -> [String] {
    positions.filter { hasName(name, $0) }.map(text)
  }

  /// The values of all fields with this name, as references to URLs.
  ///
  /// Bytes that are not ASCII are percent-encoded as received, as browsers and curl do, whatever the charset
  /// of the server.
  package func references(in name: String) -> [String] {
    positions.filter { hasName(name, $0) }.map { unfolded($0).asciiReference }
  }

  /// The bytes of the values of all fields with this name, in any case, in wire order.
  public func rawValues(for name: String) -> [ArraySlice<UInt8>] {
    positions.filter { hasName(name, $0) }.map { bytes[$0.value] }
  }

  /// The bytes of the field at a position as received: its line, including its line break and its folded
  /// lines; `Name: value` and CRLF if it was not received as HTTP/1.
  package func rawLine(at position: Int) -> ArraySlice<UInt8> {
    let field = positions[position]
    guard field.value.lowerBound > field.name.upperBound else {
      return ArraySlice(bytes[field.name] + ": ".utf8 + bytes[field.value] + "\r\n".utf8)
    }
    let end = bytes[field.value.upperBound...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    return bytes[field.name.lowerBound..<(end ?? bytes.endIndex)]
  }

  /// The bytes of the value of the field at a position.
  package func rawValue(at position: Int) -> ArraySlice<UInt8> { bytes[positions[position].value] }

  /// Calls a closure with the bytes of each value of the fields with this name, in any case, in wire order.
  ///
  /// Nothing is copied, because every text validator reads a field.
  public func forEachRawValue(for name: String, _ body: (Span<UInt8>) -> Void) {
    var name = name
    name.withUTF8 { name in
      let section = bytes.span
      let positions = positions.span
      for index in positions.indices where positions[index].name.count == name.count {
        let position = positions[index]
        guard unsafe section.extracting(position.name).isEqual(to: name) else { continue }
        body(section.extracting(position.value))
      }
    }
  }

  private func hasName(_ name: String, _ position: FieldPosition) -> Bool {
    name.utf8.count == position.name.count
      && name.utf8.elementsEqual(bytes[position.name], by: { $0.isSameLetter($1) })
  }

  private func text(_ span: FieldPosition) -> String { String(wireBytes: unfolded(span)) }

  /// The bytes of a value, with each fold replaced by one space (RFC 9112 §5.2).
  private func unfolded(_ span: FieldPosition) -> ArraySlice<UInt8> {
    let value = bytes[span.value]
    guard value.contains(UInt8(ascii: "\n")) else { return value }
    let lines = value.indices.split { bytes[$0] == UInt8(ascii: "\n") || bytes[$0] == UInt8(ascii: "\r") }
    let pieces = lines.map { bytes[bytes.span.trimmed($0)] }.filter { !$0.isEmpty }
    return ArraySlice(pieces.joined(separator: " ".utf8))
  }
}

extension HeaderFields: Hashable {
  /// Two sets of fields are equal if their names (as written) and values are, in the same order.
  public static func == (left: HeaderFields, right: HeaderFields) -> Bool {
    // Equal bytes at equal positions need no conversion to text.
    left.bytes == right.bytes && left.positions == right.positions || left.elementsEqual(right)
  }

  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) {
    for field in self { hasher.combine(field) }
  }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  /// Fields in the order of the literal.
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }
}

extension Span<UInt8> {
  fileprivate func isEqual(to name: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in indices {
      guard unsafe self[index].isSameLetter(name[index]) else { return false }
    }
    return true
  }
}

extension UInt8 {
  /// Whether it is the same character, or the same letter in another case.
  func isSameLetter(_ other: UInt8) -> Bool {
    self == other || (self | 0x20 == other | 0x20 && isASCIILetter)
  }
}

/// Prints header fields without secrets.
extension HeaderFields {
  /// Whether a field with this name usually carries credentials: Authorization, Cookie, and names that
  /// contain a word such as `token`, `session` or `api-key`.
  public static func isSensitive(_ name: String) -> Bool {
    SecretNames.isSecretField(name)
  }

  /// The values of the fields that usually carry credentials; see ``isSensitive(_:)``.
  var sensitiveValues: [Secret] {
    filter { Self.isSensitive($0.name) }.map { Secret($0.value) }
  }
}

extension HeaderFields: CustomStringConvertible, CustomReflectable {
  /// The fields, with `<redacted>` for sensitive values.
  public var description: String {
    "[" + map(\.description).joined(separator: ", ") + "]"
  }

  /// The fields, with `<redacted>` for sensitive values.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: map(\.description), displayStyle: .collection)
  }
}

extension HeaderFields.Element: CustomStringConvertible, CustomReflectable {
  /// Name and value, with `<redacted>` for a sensitive one.
  public var description: String {
    let value = HeaderFields.isSensitive(name) ? Secret.placeholder : value
    return "\(name): \(value)".escapedForDisplay
  }

  /// Name and value, with `<redacted>` for a sensitive one.
  public var customMirror: Mirror {
    Mirror(self, children: ["field": description], displayStyle: .struct)
  }
}
