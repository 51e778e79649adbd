/// JSON (RFC 8259) on one line as bytes, written value by value.
struct JSONBytes: Sendable {
  /// The text so far.
  private(set) var bytes: [UInt8] = []

  /// Creates an empty text with capacity for `count` bytes.
  init(reserving count: Int) {
    bytes.reserveCapacity(count)
  }

  /// Writes an object, whose fields the closure writes.
  mutating func object(_ fields: (inout JSONBytes) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    fields(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes a list; the closure writes each item.
  mutating func list<Item>(_ items: some Sequence<Item>, _ write: (inout JSONBytes, Item) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&self, item)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes the name of a field of an object; its value must follow.
  mutating func name(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    text(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a text, or null for none.
  mutating func text(_ text: String?) {
    guard let text else { return null() }
    self.text(utf8: text.utf8)
  }

  /// Writes a text that is valid UTF-8.
  mutating func text(utf8 text: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts have long parts without anything to escape, and copying these as a whole is fast.
    var rest = text[...]
    while let end = rest.firstIndex(where: \.isEscapedInJSON) {
      bytes += rest[..<end]
      escape(rest[end])
      rest = rest[rest.index(after: end)...]
    }
    bytes += rest
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a whole number, or null for none.
  mutating func number(_ number: Int?) {
    guard let number else { return null() }
    bytes += number.description.utf8
  }

  /// Writes a number, or null if there is none or JSON cannot express it (RFC 8259 §6).
  mutating func number(_ number: Double?) {
    guard let number, number.isFinite else { return null() }
    bytes += number.description.utf8
  }

  /// Writes true or false.
  mutating func boolean(_ value: Bool) { bytes += (value ? "true" : "false").utf8 }

  /// Writes null.
  mutating func null() { bytes += "null".utf8 }
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
      bytes += [byte >> 4, byte & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
    }
  }
}

extension UInt8 {
  /// Whether a string of JSON contains the byte only in escaped form (RFC 8259 §7).
  fileprivate var isEscapedInJSON: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}
