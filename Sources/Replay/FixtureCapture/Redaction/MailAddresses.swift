internal import ProbeCore
internal import ProbePatterns

/// Finds e-mail addresses in a text.
enum MailAddresses {
  /// The part from the at sign on; a long text has few of these signs, and words without end.
  private static let domain = SearchPattern(
    """
    (?:@|%(?:25)?40|&\\#64;|&\\#x40;)\
    (?<h>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.){1,8}[a-z]{2,24})(?![a-z0-9_-])
    """)
  /// The part before it, at the end of a text.
  private static let local = SearchPattern("(?:[a-z0-9._+-]|%2b){1,64}+$(?!\\s)")
  /// The maximum length of that part: 64 times `%2b`.
  private static let maximumLocalLength = 3 * 64

  static var patterns: [SearchPattern] { [domain, local] }

  /// Whether the text after `@` ends like a file name.
  private static func isFile(_ domain: String) -> Bool {
    fileEndings.contains(domain.split(separator: ".").last.map(String.init) ?? "")
  }

  /// Endings after `@` in names of files and packages: `logo@2x.png`, `jquery@3.6.0.min.js`.
  private static let fileEndings: Set<String> = [
    "avif", "bmp", "cjs", "css", "eot", "gif", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "jsx",
    "less",
    "map", "mjs", "mp3", "mp4", "otf", "pdf", "php", "png", "scss", "svg", "tgz", "ts", "tsx", "ttf", "txt",
    "vue", "wasm", "webm", "webp", "woff", "xml", "zip",
  ]

  /// The e-mail addresses in a text.
  ///
  /// - Parameter text: The text.
  /// - Returns: The findings, each in lower case.
  static func found(in text: [UInt8]) -> [PrivateFinding] {
    var end = 0
    return domain.compactMap(in: text) { match in
      let range = match.range
      let near = max(end, range.lowerBound - maximumLocalLength)
      // A search in pieces may find a match twice.
      guard near <= range.lowerBound else { return nil }
      let locals = local.compactMap(in: Array(text[near..<range.lowerBound])) { $0.range }
      guard var local = locals.first?.moved(by: near), let host = match["h"] else { return nil }
      end = range.upperBound
      // The two digits of `%3D` could be part of the name.
      let before = text[..<local.lowerBound]
      if before.last == UInt8(ascii: "%"), TextEscapes.endsInEscape(text[..<(local.lowerBound + 2)]) {
        local = (local.lowerBound + 2)..<local.upperBound
      } else if before.last == UInt8(ascii: "\\") {
        local = (local.lowerBound + escapeLength(text[local]))..<local.upperBound
      }
      let name = text[local].drop { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
      guard !name.isEmpty, !isUserInformation(text, before: name.startIndex) else { return nil }
      let domain = text[host].text.lowercased()
      return PrivateFinding(
        range: name.startIndex..<range.upperBound,
        value: PrivateValue(
          kind: .email, bytes: UnescapedText.bytes(name.startIndex..<range.upperBound, of: text).lowercased),
        location: "a text",
        isPrivate: !isReserved(domain) && !isFile(domain))
    }
  }

  /// Whether a domain is reserved (RFC 2606, RFC 6761).
  static func isReserved(_ domain: String) -> Bool {
    let labels = domain.split(separator: ".")
    guard let top = labels.last else { return false }
    if ["example", "invalid", "localhost", "test"].contains(top) { return true }
    return labels.count > 1 && labels[labels.count - 2] == "example" && ["com", "net", "org"].contains(top)
  }

  /// The number of bytes at the start of the name that belong to a script escape, such as `\n` or `\u003c`.
  private static func escapeLength(_ name: ArraySlice<UInt8>) -> Int {
    guard let first = name.first else { return 0 }
    let digits = name.dropFirst().prefix(4).prefix { $0.hexDigitValue != nil }.count
    if first == UInt8(ascii: "u"), digits == 4 { return min(5, name.count - 1) }
    if first == UInt8(ascii: "x"), digits >= 2 { return min(3, name.count - 1) }
    return "nrtbf".utf8.contains(first) ? min(1, name.count - 1) : 0
  }

  /// Whether the text up to here is the user information of a URL, as in `https://user:word@host/`.
  private static func isUserInformation(_ text: [UInt8], before end: Int) -> Bool {
    let stop = text[..<end].suffix(256).lastIndex { byte in
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\""),
        UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "?"),
        UInt8(ascii: "#"):
        true
      default: false
      }
    }
    guard let stop else { return false }
    return text[stop] == UInt8(ascii: "/") && stop > 0 && text[stop - 1] == UInt8(ascii: "/")
  }
}
