internal import FoundationEssentials

/// Takes the secrets of a request out of what is said of its answer.
///
/// A server that echoes a request would put them into excerpts of its answer otherwise. They are found as they are,
/// percent-encoded, and in Base64; a secret of less than four bytes is not looked for, because it would be found
/// everywhere.
public struct Redactor: Sendable {
  private static let shortest = 4
  private static let mark = Array(Secret.placeholder.utf8)

  /// The forms to look for, the longest first, so that none hides a part of another.
  private let forms: [[UInt8]]
  /// Whether one of them starts with the byte.
  private let startsForm: [Bool]

  /// A redactor of these secrets.
  public init(_ secrets: some Sequence<Secret>) {
    var forms: Set<[UInt8]> = []
    for secret in secrets {
      secret.withText { text in
        guard text.utf8.count >= Self.shortest else { return }
        forms.insert(Array(text.utf8))
        forms.insert(text.utf8.flatMap(Self.percentEncoded))
        forms.insert(text.utf8.flatMap(Self.htmlEscaped))
        forms.formUnion(Self.base64Forms(text))
      }
    }
    self.forms = forms.filter { $0.count >= Self.shortest }.sorted { $0.count > $1.count }
    startsForm = (0..<256).map { byte in forms.contains { $0.first == UInt8(byte) } }
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

  /// The URL without the secrets; when they are in its host there is nothing left of it.
  public func url(_ url: ProbeURL) -> ProbeURL {
    guard let bytes = redacted(Array(url.string.utf8), mark: Array("redacted".utf8)) else { return url }
    let redacted = try? ProbeURL(String(decoding: bytes, as: UTF8.self))
    return redacted
      ?? ProbeURL(
        scheme: url.scheme, host: "redacted.invalid", explicitPort: nil, path: "", query: nil, fragment: nil)
  }
}

extension Redactor {
  /// The bytes with a mark in place of each secret, in one pass; nil when there is none.
  private func redacted(_ bytes: [UInt8], mark: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    var kept = 0
    var position = 0
    while position < bytes.count {
      guard startsForm[Int(bytes[position])], let length = secret(at: position, of: bytes) else {
        position += 1
        continue
      }
      result = (result ?? []) + bytes[kept..<position] + mark
      position += length
      kept = position
    }
    return result.map { $0 + bytes[kept...] }
  }

  /// How long the secret that starts here is; at the end of the bytes, where a size limit may have cut it, a part will do.
  private func secret(at position: Int, of bytes: [UInt8]) -> Int? {
    let rest = bytes[position...]
    for form in forms {
      if rest.starts(with: form) { return form.count }
      if rest.count >= Self.shortest, rest.count < form.count, form.starts(with: rest) { return rest.count }
    }
    return nil
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) { return [byte] }
    let digits = String(byte, radix: 16, uppercase: true)
    return Array("%\(digits.count < 2 ? "0" : "")\(digits)".utf8)
  }

  private static func htmlEscaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "&"): Array("&amp;".utf8)
    case UInt8(ascii: "<"): Array("&lt;".utf8)
    case UInt8(ascii: ">"): Array("&gt;".utf8)
    case UInt8(ascii: "\""): Array("&quot;".utf8)
    default: [byte]
    }
  }

  /// Base64 (RFC 4648 §4 and §5) without its padding, which a form that goes on does not have.
  private static func base64Forms(_ text: String) -> [[UInt8]] {
    var whole = Data(text.utf8).base64EncodedString().prefix { $0 != "=" }
    // The last character of an incomplete group depends on what follows.
    if whole.utf8.count % 4 != 0 { whole.removeLast() }
    let safe = whole.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    return [Array(whole.utf8), Array(String(safe).utf8)]
  }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
  /// How many forms are looked for.
  public var description: String { "Redactor(\(forms.count) forms)" }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
