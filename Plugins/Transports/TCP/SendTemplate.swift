internal import ProbeCore

/// The data of a send step: bytes, and references to the captures of earlier steps.
struct SendTemplate: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case bytes([UInt8])
    case capture(String)
  }

  /// The maximum number of bytes from the network that one send step may insert.
  static let maximumInserted = 16 * 1024
  /// The maximum length of a send step in bytes: of a text as written, or of the bytes that digits give.
  static let maximumLength = 64 * 1024

  private(set) var parts: [Part] = []
  /// The captures that it inserts, each with its position in the text.
  private(set) var references: [(name: String, offset: Int)] = []

  /// Parses text with escapes; see ``Dialog/Step/send(_:)``.
  ///
  /// - Throws: ``InvalidInput`` with the position of the first error.
  init(_ text: String) throws(InvalidInput) {
    try Self.check(length: text.utf8.count)
    var reader = Reader(bytes: Array(text.utf8))
    var bytes: [UInt8] = []
    while let byte = reader.next() {
      switch byte {
      case UInt8(ascii: "\\"): bytes += try reader.escape()
      case UInt8(ascii: "$"):
        let start = reader.offset - 1
        guard let name = try reader.reference() else {
          bytes.append(byte)
          continue
        }
        parts += [.bytes(bytes), .capture(name)]
        bytes = []
        references.append((name, start))
      default: bytes.append(byte)
      }
    }
    parts.append(.bytes(bytes))
  }

  /// Whether its secret has not been read yet.
  private(set) var missesSecret = false

  /// The data of a step whose secret has not been read yet.
  static let unread: SendTemplate = {
    var template = SendTemplate()
    template.missesSecret = true
    return template
  }()

  private init() {}

  init(_ secret: Secret) {
    parts = [.bytes(secret.withText { Array($0.utf8) })]
  }

  /// Whether the data contains a secret; a secret of fewer than four bytes may occur by chance.
  func contains(_ secret: Secret) -> Bool {
    let bytes = secret.withText { Array($0.utf8) }
    guard bytes.count >= 4 else { return false }
    return parts.contains { part in
      if case .bytes(let written) = part { written.firstRange(of: bytes) != nil } else { false }
    }
  }

  /// The number of bytes without the captures that it inserts.
  var fixedSize: Int {
    parts.reduce(0) { sum, part in
      if case .bytes(let bytes) = part { sum + bytes.count } else { sum }
    }
  }

  /// Parses bytes given as hexadecimal digits.
  ///
  /// - Throws: ``InvalidInput`` with the position of the first error.
  init(hex digits: String) throws(InvalidInput) {
    try Self.check(length: (digits.utf8.count { !HexBytes.isSpace($0) } + 1) / 2)
    parts = [.bytes(try HexBytes.read(digits))]
  }

  private static func check(length: Int) throws(InvalidInput) {
    guard length > 0 else {
      throw InvalidInput("the text is empty", remedy: "write a text, or remove the step")
    }
    guard length <= maximumLength else {
      throw InvalidInput(
        "\(length) bytes are too many: the limit is \(maximumLength)",
        remedy:
          "send them in several steps; over udp, a datagram has at most \(UDPConversation.maximumSize) bytes")
    }
  }

  /// The bytes to send; a group that did not participate in its match inserts nothing.
  ///
  /// - Returns: nil if the inserted bytes exceed the limit.
  func bytes(inserting captures: [String: [UInt8]]) -> [UInt8]? {
    var result: [UInt8] = []
    var inserted = 0
    for part in parts {
      switch part {
      case .bytes(let bytes): result += bytes
      case .capture(let name):
        let bytes = captures[name] ?? []
        inserted += bytes.count
        guard inserted <= Self.maximumInserted else { return nil }
        result += bytes
      }
    }
    return result
  }
}

extension SendTemplate {
  static func == (left: SendTemplate, right: SendTemplate) -> Bool { left.parts == right.parts }

  func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// Parses a text byte by byte.
private struct Reader {
  let bytes: [UInt8]
  var offset = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Parses the escape after a backslash.
  mutating func escape() throws(InvalidInput) -> [UInt8] {
    let start = offset - 1
    switch next() {
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "0"): return [0]
    case UInt8(ascii: "\\"): return [UInt8(ascii: "\\")]
    case UInt8(ascii: "x"):
      let digits = bytes[offset...].prefix(2)
      guard digits.count == 2, let value = UInt8(hexDigits: digits) else {
        throw InvalidInput(
          #"\x is not followed by two hexadecimal digits"#, remedy: #"write it as \x0d"#, offset: start)
      }
      offset += 2
      return [value]
    case UInt8(ascii: "u"): return try character(start)
    default:
      throw InvalidInput(
        "unknown escape", remedy: #"use \r, \n, \t, \0, \xNN or \u{…}, or \\ for a backslash"#, offset: start)
    }
  }

  private mutating func character(_ start: Int) throws(InvalidInput) -> [UInt8] {
    let mistake = InvalidInput(
      #"\u is not followed by the number of a character"#, remedy: #"write it as \u{e9}, up to \u{10ffff}"#,
      offset: start)
    guard next() == UInt8(ascii: "{"), let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) else {
      throw mistake
    }
    let digits = bytes[offset..<end]
    guard (1...6).contains(digits.count), let number = UInt32(hexDigits: digits),
      let scalar = Unicode.Scalar(number)
    else { throw mistake }
    offset = end + 1
    return Array(String(scalar).utf8)
  }

  /// Parses the reference after a dollar sign: a name in braces, or nil for a second dollar sign.
  mutating func reference() throws(InvalidInput) -> String? {
    let start = offset - 1
    let first = next()
    if first == UInt8(ascii: "$") { return nil }
    guard first == UInt8(ascii: "{"), let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")),
      end > offset
    else {
      throw InvalidInput(
        "a dollar sign without a name", remedy: "write ${name} for a capture, or $$ for a dollar sign",
        offset: start)
    }
    defer { offset = end + 1 }
    return String(decoding: bytes[offset..<end], as: UTF8.self)
  }
}
