import FoundationEssentials
import ProbeBase

/// JSON (RFC 8259) on one line as bytes, written value by value.
package struct JSONBytes: Sendable {
  /// The text so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty text with capacity for `count` bytes.
  package init(reserving count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Writes an object, whose fields the closure writes.
  package mutating func object(_ fields: (inout JSONBytes) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    fields(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a list; the closure writes each item.
  package mutating func list<Item>(_ items: some Sequence<Item>, _ write: (inout JSONBytes, Item) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, item)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes the name of a field of an object; its value must follow.
  package mutating func name(_ name: String) {
    separate()
    text(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of a field as ``text(forDisplay:)`` writes a text; its value must follow.
  package mutating func name(forDisplay name: String) {
    separate()
    text(forDisplay: name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the name of a field, which has nothing to escape; its value must follow.
  package mutating func plainName(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    unsafe bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    bytes += "\":".utf8
  }

  /// A comma, except at the start of an object.
  private mutating func separate() {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
  }

  /// Writes a text, or null for none.
  package mutating func text(_ text: String?) {
    guard let text else { return null() }
    self.text(utf8: text.utf8)
  }

  /// Writes a text that is valid UTF-8.
  package mutating func text(utf8 text: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    escaped(text)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a text that is safe to show on a terminal, or null for none: as `String(jsonForDisplay:)` makes it.
  package mutating func text(forDisplay text: String?) {
    guard let text else { return null() }
    let start = bytes.count
    self.text(text)
    // Decoding the bytes again takes long, and most texts are ASCII.
    guard bytes[start...].contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return }
    bytes.replaceSubrange(start..., with: String(jsonForDisplay: bytes[start...]).utf8)
  }

  /// Writes a text that is valid UTF-8 as a part of a string.
  mutating func escaped(_ text: some Collection<UInt8>) {
    // Most texts have long parts without anything to escape, and copying these as a whole is fast.
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isEscapedInJSON) {
      bytes += rest[..<end]
      escape(rest[end])
      rest = rest[rest.index(after: end)...]
    }
    bytes += rest
  }

  /// Writes a whole number, or null for none.
  package mutating func number(_ number: Int?) {
    guard let number else { return null() }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(of: number.magnitude)
  }

  private mutating func digits(of number: UInt) {
    if number >= 10 { digits(of: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Writes a number, or null if there is none or JSON cannot express it (RFC 8259 §6).
  package mutating func number(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    bytes += number.description.utf8
  }

  package mutating func boolean(_ value: Bool) { bytes += (value ? "true" : "false").utf8 }

  package mutating func null() { bytes += "null".utf8 }
}

extension JSONBytes {
  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes += "u00".utf8
      bytes += CollectionOfOne(byte).hexDigits
    }
  }
}

extension UInt8 {
  /// Whether a string of JSON contains the byte only in escaped form (RFC 8259 §7).
  fileprivate var isEscapedInJSON: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

extension String {
  /// The text as a part of a JSON string (RFC 8259 §7): quotes, backslashes and control characters are escaped.
  package var escapedInJSON: String {
    var json = JSONBytes(reserving: utf8.count)
    json.escaped(utf8)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// The text as a JSON string, with its quotes.
  package var quotedInJSON: String { "\"\(escapedInJSON)\"" }
}

/// A record as JSON on one line, safe to show.
package enum JSONLine {
  /// Encodes a value on one line, with sorted keys.
  ///
  /// - Throws: An error of `JSONEncoder`.
  package static func text(_ record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(jsonForDisplay: try encoder.encode(record)) + "\n"
  }
}
