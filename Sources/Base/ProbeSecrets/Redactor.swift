import ProbeBase

/// Removes the secrets of a request from its response and from messages about it.
///
/// A server that echoes a request would otherwise put the secrets into excerpts of its response. The redactor
/// finds a secret verbatim, in UTF-16, in UTF-32, in hexadecimal, and in Base64 of both alphabets, including within a
/// longer encoded text and in Base64 of Base64, each in upper, lower and mixed case. It finds each of these in any
/// spelling: percent-encoded, form-encoded, in quoted-printable, broken into lines, or with the escapes of HTML, CSS,
/// JSON and scripts, byte by byte and up to two levels deep. At the end of a text, where a size limit may have cut it,
/// four bytes of a secret are enough for a match.
///
/// A secret of fewer than four bytes is not redacted, because it would match everywhere. The work grows only
/// with the length of the text, not with the number of secrets or of their occurrences.
public struct Redactor: Sendable {
  private static let mark = Array(Secret.placeholder.utf8)

  private let forms: [SecretForms.Form]
  private let search: EscapedTextSearch

  /// Creates a redactor for these secrets.
  public init(_ secrets: some Sequence<Secret>) {
    var forms = SecretForms()
    for secret in Set(secrets) { secret.withText { forms.add($0) } }
    self.forms = forms.all
    search = EscapedTextSearch(
      forms.all.map(\.bytes), ignoresCase: true, minimumPrefixLength: SecretForms.minimumLength)
  }

  /// Whether there is nothing to search for.
  public var isEmpty: Bool { forms.isEmpty }

  /// The text without the secrets.
  public func redacted(_ text: String) -> String {
    redacted(Array(text.utf8), mark: Self.mark).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// The bytes without the secrets.
  public func redacted(_ bytes: [UInt8]) -> [UInt8] {
    redacted(bytes, mark: Self.mark) ?? bytes
  }
}

extension Redactor {
  /// The position of a secret, or of several that overlap.
  package struct Occurrence {
    package var range: Range<Int>
    /// The replacement for a secret in UTF-16 or UTF-32; nil for other forms.
    var wideMark: [UInt8]?
  }

  /// The positions of secrets, from left to right, without overlaps.
  ///
  /// `steps` is increased by the amount of work done.
  package func occurrences(in bytes: [UInt8], counting steps: inout Int) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    // Matches are in the order of their ends, so a match can overlap only those before it.
    for match in search.matches(in: bytes, counting: &steps) {
      let form = match.form.map { forms[$0] }
      var range = form.map { whole(match.range, of: $0, in: bytes) } ?? match.range
      while let last = occurrences.last, last.range.upperBound > range.lowerBound {
        range = min(last.range.lowerBound, range.lowerBound)..<max(last.range.upperBound, range.upperBound)
        occurrences.removeLast()
      }
      occurrences.append(Occurrence(range: range, wideMark: form?.wideMark))
    }
    return occurrences
  }

  /// The bytes with a mark instead of each secret; nil if there is none.
  package func redacted(_ bytes: [UInt8], mark: [UInt8]) -> [UInt8]? {
    var steps = 0
    let occurrences = isEmpty ? [] : occurrences(in: bytes, counting: &steps)
    guard !occurrences.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var kept = 0
    for occurrence in occurrences {
      result += bytes[kept..<occurrence.range.lowerBound]
      result += occurrence.wideMark ?? mark
      kept = occurrence.range.upperBound
    }
    return result + bytes[kept...]
  }

  /// The bytes with an `x` for each byte of a secret, which keeps the length unchanged; nil if there is none.
  ///
  /// A line that ends within a secret still ends there.
  package func masked(_ bytes: [UInt8]) -> [UInt8]? {
    var steps = 0
    let occurrences = isEmpty ? [] : occurrences(in: bytes, counting: &steps)
    guard !occurrences.isEmpty else { return nil }
    var result = bytes
    for occurrence in occurrences {
      var isIndentation = false
      for index in occurrence.range {
        let isBreak = bytes[index] == 0x0A || bytes[index] == 0x0D
        isIndentation = isBreak || isIndentation && bytes[index].isFieldSpace
        // In UTF-16 and UTF-32, keep the zeros, which are parts of characters.
        let isZero = occurrence.wideMark != nil && bytes[index] == 0
        if !isIndentation, !isZero { result[index] = UInt8(ascii: "x") }
      }
    }
    return result
  }

  /// Extends a match by the Base64 characters that encode parts of the secret together with other data, and
  /// by the padding.
  private func whole(_ range: Range<Int>, of form: SecretForms.Form, in bytes: [UInt8]) -> Range<Int> {
    var range = range
    for _ in 0..<form.partsBefore {
      var before = bytes[..<range.lowerBound]
      while let end = Self.lineEnds.first(where: { before.suffix($0.count).map(\.asciiLowercased) == $0 }) {
        before.removeLast(end.count)
      }
      let length =
        Self.isEncoded(before.suffix(3), ["2B", "2F"]) ? 3 : before.last.map(Self.isBase64) == true ? 1 : 0
      if length > 0 { range = (before.endIndex - length)..<range.upperBound }
    }
    var isPadded = form.partsAfter > 0
    for _ in 0..<form.partsAfter {
      var rest = bytes[range.upperBound...]
      while let end = Self.lineEnds.first(where: { rest.prefix($0.count).map(\.asciiLowercased) == $0 }) {
        rest.removeFirst(end.count)
      }
      let length =
        Self.isEncoded(rest.prefix(3), ["2B", "2F"]) ? 3 : rest.first.map(Self.isBase64) == true ? 1 : 0
      isPadded = isPadded && length > 0
      if length > 0 { range = range.lowerBound..<(rest.startIndex + length) }
    }
    for _ in 0..<2 where isPadded {
      let rest = bytes[range.upperBound...]
      let length = rest.first == UInt8(ascii: "=") ? 1 : Self.isEncoded(rest.prefix(3), ["3D"]) ? 3 : 0
      range = range.lowerBound..<(range.upperBound + length)
    }
    return range
  }

  /// The ends of lines that Base64 may have between any two characters, also as escapes.
  private static let lineEnds = [
    "=\r\n", "=\n", "\\\n", "\r", "\n", " ", "\\r", "\\n", "%0d", "%0a", "&#13;", "&#10;",
  ]
  .map { Array($0.utf8) }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "+/-_".utf8.contains(byte)
  }

  private static func isEncoded(_ bytes: ArraySlice<UInt8>, _ digits: [String]) -> Bool {
    bytes.first == UInt8(ascii: "%")
      && digits.contains { bytes.dropFirst().map(\.asciiUppercased).elementsEqual($0.utf8) }
  }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
  /// The number of forms to search for.
  public var description: String { "Redactor(\(forms.count) forms)" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The forms of a secret to search for; each is found in any spelling, and in ASCII letters of either case.
struct SecretForms {
  struct Form: Hashable {
    var bytes: [UInt8]
    /// The number of Base64 characters before the form, and behind it, that encode a part of the secret.
    var partsBefore = 0
    var partsAfter = 0
    /// The replacement for a form in UTF-16 or UTF-32; nil for other forms.
    var wideMark: [UInt8]?
  }

  /// The minimum length of a secret in bytes; a shorter one would match everywhere.
  static let minimumLength = 4

  /// The forms, without duplicates.
  private(set) var all: [Form] = []
  private var known: Set<[UInt8]> = []

  mutating func add(_ secret: String) {
    let text = Array(secret.utf8)
    guard text.count >= Self.minimumLength else { return }
    addWithBase64(text)
    addWide(secret.utf16.map { UInt32(widening: $0) }, size: 2)
    addWide(secret.unicodeScalars.map(\.value), size: 4)
    add(
      Form(
        bytes: text.hexDigits))
    guard text.contains(where: { $0 >= 0x80 }) else { return }
    // In Latin-1, as some programs encode it; and in UTF-8 decoded as Latin-1, then encoded again.
    let scalars = secret.unicodeScalars
    for other in [secret.lowercased(), secret.uppercased()] { add(Form(bytes: Array(other.utf8))) }
    if scalars.allSatisfy({ $0.value <= 0xFF }) {
      addWithBase64(scalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
    add(Form(bytes: text.flatMap { Array(String(Unicode.Scalar($0)).utf8) }))
  }

  private mutating func addWithBase64(_ text: [UInt8]) {
    add(Form(bytes: text))
    let before = all.count
    for offset in 0..<3 { addBase64(Form(bytes: text), after: offset) }
    // Base64 of Base64, as of a cookie that is encoded as a whole.
    for form in all[before...] { for offset in 0..<3 { addBase64(form, after: offset) } }
  }

  private mutating func add(_ form: Form) {
    guard form.bytes.count >= Self.minimumLength, known.insert(form.bytes.map { $0.asciiLowercased }).inserted
    else {
      return
    }
    all.append(form)
  }

  /// Adds UTF-16 or UTF-32 in both byte orders, without the zeros at one end, so that the two are equal for ASCII.
  private mutating func addWide(_ units: [UInt32], size: Int) {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let mark = Array(Secret.placeholder.utf8.map { [$0] }.joined(separator: zeros(size - 1)))
    let little = units.flatMap { unit in (0..<size).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) } }
    let big = units.flatMap { unit in
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
    }
    let before = big.prefix(size - 1).prefix { $0 == 0 }.count
    let after = little.reversed().prefix(size - 1).prefix { $0 == 0 }.count
    add(Form(bytes: Array(big.dropFirst(before)), wideMark: zeros(size - 1 - before) + mark))
    add(Form(bytes: little.dropLast(after), wideMark: mark + zeros(size - 1 - after)))
  }

  /// Adds the Base64 characters (RFC 4648 §4 and §5) that the text alone determines, after `offset` bytes of
  /// a three-byte group.
  private mutating func addBase64(_ form: Form, after offset: Int) {
    let text = form.bytes
    let bits = 8 * (offset + text.count)
    let characters = ((8 * offset + 5) / 6)..<(bits / 6)
    for alphabet in [Self.standard, Self.urlSafe] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(characters.count)
      var character = characters.lowerBound
      while character < characters.upperBound {
        let index = character * 6 / 8 - offset
        let first = index < 0 ? 0 : Int(widening: text[index])
        let second = index + 1 < text.count ? Int(widening: text[index + 1]) : 0
        bytes.append(alphabet[(first << 8 | second) >> (10 - character * 6 % 8) & 0x3F])
        character += 1
      }
      // A character of the inner encoding is in two of the outer one.
      add(
        Form(
          bytes: bytes, partsBefore: (offset > 0 ? 1 : 0) + 2 * form.partsBefore,
          partsAfter: (bits % 6 > 0 ? 1 : 0) + 2 * form.partsAfter))
    }
  }

  private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
  private static let standard = Array((letters + "+/").utf8)
  private static let urlSafe = Array((letters + "-_").utf8)
}
