/// Takes the secrets of a request out of what is said of its answer.
///
/// A server that echoes a request would put them into excerpts of its answer otherwise. They are found as they are, in
/// UTF-16, in small letters as a host's name is written, in hexadecimal, and in Base64 of both alphabets, also within a longer
/// text that was encoded; and all of that in whatever way
/// it is spelled: percent-encoded, as a form sends it, or with the escapes of HTML, JSON and scripts, byte by byte and
/// twice over. At the end of a text, where a size limit may have cut it, four bytes of a secret will do.
///
/// A secret of less than four bytes is not looked for, because it would be found everywhere. The work grows with the
/// text alone: neither how many secrets there are nor how often they stand there makes a difference.
public struct Redactor: Sendable {
  private static let mark = Array(Secret.placeholder.utf8)

  private let forms: [SecretForms.Form]
  private let search: SpelledSearch

  /// A redactor of these secrets.
  public init(_ secrets: some Sequence<Secret>) {
    var forms = SecretForms()
    for secret in Set(secrets) { secret.withText { forms.add($0) } }
    self.forms = forms.all
    search = SpelledSearch(forms.all.map(\.bytes), shortestBeginning: SecretForms.shortest)
  }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { forms.isEmpty }

  /// The text without the secrets.
  public func text(_ text: String) -> String {
    redacted(Array(text.utf8), mark: Self.mark).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// The bytes without the secrets.
  public func bytes(_ bytes: [UInt8]) -> [UInt8] {
    redacted(bytes, mark: Self.mark) ?? bytes
  }

  /// The URL without the secrets; when they are in its host there is nothing left of it but the scheme.
  public func url(_ url: ProbeURL) -> ProbeURL {
    guard let bytes = redacted(Array(url.string.utf8), mark: Array("redacted".utf8)) else { return url }
    let redacted = try? ProbeURL(String(decoding: bytes, as: UTF8.self))
    if let redacted, redacted.scheme == url.scheme { return redacted }
    return ProbeURL(
      scheme: url.scheme, host: "redacted.invalid", explicitPort: nil, path: "", query: nil, fragment: nil)
  }
}

extension Redactor {
  /// Where a secret stands, or several that overlap.
  struct Place {
    var range: Range<Int>
    /// What takes its place where that is UTF-16.
    var wideMark: [UInt8]?
  }

  /// Where secrets stand, from left to right; none overlap.
  ///
  /// The steps grow by the work that it took.
  func places(in bytes: [UInt8], counting steps: inout Int) -> [Place] {
    var places: [Place] = []
    // In the order of their ends, so that one can only take up those before it.
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

  /// The bytes with a mark in place of each secret; nil when there is none.
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

  /// The bytes with an `x` for each byte of a secret, so that they stay as many; nil when there is none.
  package func blanked(_ bytes: [UInt8]) -> [UInt8]? {
    var steps = 0
    let places = isEmpty ? [] : places(in: bytes, counting: &steps)
    guard !places.isEmpty else { return nil }
    var result = bytes
    for place in places {
      // Where it is UTF-16, zeros are halves of characters.
      for index in place.range where place.wideMark == nil || bytes[index] != 0 {
        result[index] = UInt8(ascii: "x")
      }
    }
    return result
  }

  /// A match with the characters of Base64 that a part of it is in, and with the padding.
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
  /// How many forms are looked for.
  public var description: String { "Redactor(\(forms.count) forms)" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
