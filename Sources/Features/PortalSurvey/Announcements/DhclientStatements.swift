internal import ProbeCore

/// The statements of a file of ISC dhclient: its leases (dhclient.leases(5)), or its configuration
/// (dhclient.conf(5)).
struct DhclientStatements: Sequence, IteratorProtocol {
  /// A word or a quoted text.
  struct Word: Hashable {
    /// The bytes; those of a quoted text without its quotes and escapes.
    var bytes: [UInt8]
    var isQuoted = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The terminator of a statement.
  enum End {
    /// `;`
    case semicolon
    /// `{`, at which a block begins.
    case open
    /// `}`, at which a block ends.
    case close
  }

  /// A statement, or the start or the end of a block.
  struct Statement {
    /// Its first words.
    var words: [Word]
    /// Its terminator.
    var end: End

    /// The word at an index as a text, or nil if there are fewer words.
    func text(_ index: Int) -> String? {
      index < words.count ? words[index].text : nil
    }
  }

  /// The maximum number of bytes of a word, and of words of a statement; further ones are dropped.
  private static let limits = (bytes: 4 * Announcement.maximumLength, words: 512)
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next statement; an unterminated one is ignored.
  mutating func next() -> Statement? {
    var words: [Word] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: ";"): return Statement(words: words, end: .semicolon)
      case UInt8(ascii: "{"): return Statement(words: words, end: .open)
      case UInt8(ascii: "}"): return Statement(words: words, end: .close)
      case UInt8(ascii: "#"): skip { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\""):
        let text = quoted()
        if words.count < Self.limits.words { words.append(Word(bytes: text, isQuoted: true)) }
      case _ where Self.isSeparator(byte): break
      default:
        let start = index - 1
        skip { !Self.isSeparator($0) && !Self.ends($0) }
        guard words.count < Self.limits.words else { continue }
        words.append(Word(bytes: Array(bytes[start..<index].prefix(Self.limits.bytes))))
      }
    }
    return nil
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "=")
  }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "\""): true
    default: false
    }
  }

  private mutating func skip(while condition: (UInt8) -> Bool) {
    while index < bytes.count, condition(bytes[index]) { index += 1 }
  }

  /// The text up to the closing quote.
  private mutating func quoted() -> [UInt8] {
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { break }
      let value = byte == UInt8(ascii: "\\") ? escaped() : byte
      if text.count < Self.limits.bytes { text.append(value) }
    }
    return text
  }

  /// The byte that an escape represents.
  ///
  /// An escape is up to three octal digits, `x` and up to two hexadecimal digits, a letter for a control
  /// character, or the byte itself.
  private mutating func escaped() -> UInt8 {
    guard index < bytes.count else { return UInt8(ascii: "\\") }
    let byte = bytes[index]
    if byte.octalDigitValue != nil { return digits(3, radix: 8) { $0.octalDigitValue } }
    index += 1
    switch byte {
    case UInt8(ascii: "x"): return digits(2, radix: 16) { $0.hexDigitValue }
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "b"): return 0x08
    default: return byte
    }
  }

  private mutating func digits(_ count: Int, radix: Int, _ digit: (UInt8) -> UInt8?) -> UInt8 {
    var number = 0
    for _ in 0..<count {
      guard index < bytes.count, let value = digit(bytes[index]) else { break }
      number = number * radix + Int(widening: value)
      index += 1
    }
    return UInt8(truncatingIfNeeded: number)
  }
}

extension UInt8 {
  /// The value of an octal digit; nil for any other byte.
  fileprivate var octalDigitValue: UInt8? {
    isASCIIDigit && self < UInt8(ascii: "8") ? self - UInt8(ascii: "0") : nil
  }
}
