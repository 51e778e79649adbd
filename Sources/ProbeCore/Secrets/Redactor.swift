/// Removes the secrets of a request from its response and from messages about it.
///
/// A server that echoes a request would otherwise put the secrets into excerpts of its response. The redactor
/// finds a secret verbatim, in UTF-16, in hexadecimal, and in Base64 of both alphabets, including within a longer
/// encoded text, each in upper, lower and mixed case. It finds each of these in any spelling:
/// percent-encoded, form-encoded, or with the escapes of HTML, JSON and scripts, byte by byte and up to two
/// levels deep. At the end of a text, where a size limit may have cut it, four bytes of a secret are enough
/// for a match.
///
/// A secret of fewer than four bytes is not redacted, because it would match everywhere. The work grows only
/// with the length of the text, not with the number of secrets or of their occurrences.
public struct Redactor: Sendable {
  private static let mark = Array(Secret.placeholder.utf8)

  private let forms: [SecretForms.Form]
  private let search: SpelledSearch

  /// Creates a redactor for these secrets.
  public init(_ secrets: some Sequence<Secret>) {
    var forms = SecretForms()
    for secret in Set(secrets) { secret.withText { forms.add($0) } }
    self.forms = forms.all
    search = SpelledSearch(
      forms.all.map(\.bytes), ignoresCase: true, shortestBeginning: SecretForms.shortest)
  }

  /// Whether there is nothing to search for.
  public var isEmpty: Bool { forms.isEmpty }

  /// The text without the secrets.
  public func text(_ text: String) -> String {
    redacted(Array(text.utf8), mark: Self.mark).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// The bytes without the secrets.
  public func bytes(_ bytes: [UInt8]) -> [UInt8] {
    redacted(bytes, mark: Self.mark) ?? bytes
  }

  /// The URL without the secrets; if its host contains one, only the scheme remains.
  public func url(_ url: ProbeURL) -> ProbeURL {
    guard let bytes = redacted(Array(url.string.utf8), mark: Array("redacted".utf8)) else { return url }
    let redacted = try? ProbeURL(String(decoding: bytes, as: UTF8.self))
    if let redacted, redacted.scheme == url.scheme { return redacted }
    return ProbeURL(
      scheme: url.scheme, host: "redacted.invalid", explicitPort: nil, path: "", query: nil, fragment: nil)
  }
}

extension Redactor {
  /// The position of a secret, or of several that overlap.
  struct Place {
    var range: Range<Int>
    /// The replacement for a secret in UTF-16; nil for other forms.
    var wideMark: [UInt8]?
  }

  /// The positions of secrets, from left to right, without overlaps.
  ///
  /// `steps` is increased by the amount of work done.
  func places(in bytes: [UInt8], counting steps: inout Int) -> [Place] {
    var places: [Place] = []
    // Matches are in the order of their ends, so a match can overlap only those before it.
    for match in search.matches(in: bytes, counting: &steps) {
      let form = match.form.map { forms[$0] }
      var range = form.map { whole(match.range, of: $0, in: bytes) } ?? match.range
      while let last = places.last, last.range.upperBound > range.lowerBound {
        range = min(last.range.lowerBound, range.lowerBound)..<max(last.range.upperBound, range.upperBound)
        places.removeLast()
      }
      places.append(Place(range: range, wideMark: form?.wideMark))
    }
    return places
  }

  /// The bytes with a mark in place of each secret; nil if there is none.
  private func redacted(_ bytes: [UInt8], mark: [UInt8]) -> [UInt8]? {
    var steps = 0
    let places = isEmpty ? [] : places(in: bytes, counting: &steps)
    guard !places.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var kept = 0
    for place in places {
      result += bytes[kept..<place.range.lowerBound]
      result += place.wideMark ?? mark
      kept = place.range.upperBound
    }
    return result + bytes[kept...]
  }

  /// The bytes with an `x` for each byte of a secret, which keeps the length unchanged; nil if there is none.
  package func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    var steps = 0
    let places = isEmpty ? [] : places(in: bytes, counting: &steps)
    guard !places.isEmpty else { return nil }
    var result = bytes
    for place in places {
      // In UTF-16, keep the zeros, which are halves of characters.
      for index in place.range where place.wideMark == nil || bytes[index] != 0 {
        result[index] = UInt8(ascii: "x")
      }
    }
    return result
  }

  /// Extends a match by the Base64 characters that encode parts of the secret together with other data, and
  /// by the padding.
  private func whole(_ range: Range<Int>, of form: SecretForms.Form, in bytes: [UInt8]) -> Range<Int> {
    var range = range
    if form.isPartBefore {
      let three = bytes[..<range.lowerBound].suffix(3)
      let length =
        Self.isEncoded(three, ["2B", "2F"])
        ? 3 : bytes[..<range.lowerBound].last.map(Self.isBase64) == true ? 1 : 0
      range = (range.lowerBound - length)..<range.upperBound
    }
    if form.isPartBehind {
      let rest = bytes[range.upperBound...]
      var length =
        Self.isEncoded(rest.prefix(3), ["2B", "2F"]) ? 3 : rest.first.map(Self.isBase64) == true ? 1 : 0
      for _ in 0..<2 where length > 0 {
        if rest.dropFirst(length).first == UInt8(ascii: "=") { length += 1 }
        if Self.isEncoded(rest.dropFirst(length).prefix(3), ["3D"]) { length += 3 }
      }
      range = range.lowerBound..<(range.upperBound + length)
    }
    return range
  }

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
