internal import ProbePCRE2

/// The head of an HTTP message, parsed line by line.
struct HeaderLines {
  /// The header fields whose values may be private.
  private(set) var fields: [NamedField] = []
  /// The ranges that frame the message and must not change; addresses in them may, because they are not
  /// framing.
  private(set) var framing: [Range<Int>] = []
  /// The end of the version and status, which must not change; the start of the head if it has neither.
  private(set) var statusEnd = 0
  /// Whether it is the head of an interim response (RFC 9110 §15.2), so that another head follows.
  private(set) var isInterim = false
  /// The content codings in lower case.
  private(set) var codings: [String] = []
  /// Whether the content is sent in chunks.
  private(set) var isChunked = false
  /// The UTF-16 label in Content-Type in lower case, or nil if there is another label or none.
  private(set) var utf16: String?
  /// Whether the content is an image, a font, a sound or a film in a binary format.
  private(set) var isMedia = false

  private static let credentials = SearchPattern(
    "(?<n>nonce|opaque|response|cnonce|token|key)\\s{0,8}=\\s{0,8}\"?(?<v>[^\",\\s]++)")
  private static let pair = SearchPattern("(?:^|;\\s{0,8})(?<n>[^=;\\s]{1,64}+)=\"?(?<v>[^;\"\\s]++)")

  private static let status = SearchPattern("^HTTP/(?:[0-9](?:\\.[0-9])?(?: {1,8}(?<s>[0-9]{3}))?)?")
  private static let utf16 = SearchPattern(
    "(?:^|;)\\s{0,8}charset\\s{0,8}=\\s{0,8}[\"']?(?<c>utf-16(?:le|be)?)[\"']?\\s{0,8}(?:;|$)")

  static var patterns: [SearchPattern] { [credentials, pair, status, utf16] }

  /// Parses a head.
  init(_ text: [UInt8]) {
    var start = 0
    for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      read(line.startIndex..<line.endIndex, of: text, isFirst: start == 0)
      start += 1
    }
  }

  private mutating func read(_ line: Range<Int>, of text: [UInt8], isFirst: Bool) {
    if isFirst {
      // The version and status; nothing in a request line resembles a private value.
      Self.status.forEachMatch(in: Array(text[line].prefix(64))) { match in
        statusEnd = line.lowerBound + match.range.upperBound
        framing.append(line.lowerBound..<statusEnd)
        isInterim = match["s"].map { text[$0.lowerBound + line.lowerBound] == UInt8(ascii: "1") } ?? false
      }
      return
    }
    guard let colon = text[line].firstIndex(of: UInt8(ascii: ":")), colon > line.lowerBound,
      text[line.lowerBound..<colon].allSatisfy({ $0.isWord || "-_. \t".utf8.contains($0) })
    else { return }
    let name = Array(text[line.lowerBound..<colon])
    let spaces = Array(" \t\r".utf8)
    guard let first = text[(colon + 1)..<line.upperBound].firstIndex(where: { !spaces.contains($0) }),
      let last = text[first..<line.upperBound].lastIndex(where: { !spaces.contains($0) })
    else { return }
    let value = first..<(last + 1)
    let words = text[value].text.lowercased()
    // "identity" is the absence of a coding (RFC 9110 §8.4.1, and RFC 2616 §3.6 for Transfer-Encoding).
    var codings: [String] {
      words.utf8.split(separator: UInt8(ascii: ",")).map { word in
        String(decoding: word.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self)
      }.filter { !$0.isEmpty && $0 != "identity" }
    }
    switch name.prefix(64).text.lowercased() {
    case "content-length", "connection", "content-range", "keep-alive": framing.append(line)
    case "content-encoding":
      framing.append(line)
      self.codings += codings
    case "transfer-encoding":
      framing.append(line)
      isChunked = codings.last == "chunked"
      self.codings += codings.filter { $0 != "chunked" }
    case "content-type":
      isMedia =
        ["image/", "font/", "audio/", "video/", "application/font", "application/vnd.ms-fontobject"]
        .contains(where: words.hasPrefix) && !words.hasPrefix("image/svg")
      let labels = Self.utf16.compactMap(in: Array(text[value])) { $0["c"] }
      utf16 = labels.first.map { text[$0.moved(by: value.lowerBound)].text.lowercased() }
    case "set-cookie": fields += cookies(in: value, of: text).prefix(1)
    case "cookie": fields += cookies(in: value, of: text)
    case "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate",
      "authentication-info":
      addCredentials(name, value, of: text)
    default: fields.append(NamedField(name: name[...], value: value, context: .header))
    }
  }

  private func cookies(in line: Range<Int>, of text: [UInt8]) -> [NamedField] {
    Self.pair.compactMap(in: Array(text[line])) { match in
      guard let name = match["n"], let value = match["v"] else { return nil }
      return NamedField(
        name: text[name.moved(by: line.lowerBound)], value: value.moved(by: line.lowerBound), context: .cookie
      )
    }
  }

  /// Adds the word after the scheme, as in `Bearer abc`, or the parameters that differ between answers.
  private mutating func addCredentials(_ name: [UInt8], _ value: Range<Int>, of text: [UInt8]) {
    let words = text[value].split(separator: UInt8(ascii: " "))
    if words.count == 2, !words[1].dropLast(2).contains(UInt8(ascii: "=")) {
      let field = NamedField(
        name: ArraySlice("authorization token".utf8), value: words[1].startIndex..<words[1].endIndex,
        context: .header)
      fields.append(field)
      return
    }
    fields += Self.credentials.compactMap(in: Array(text[value])) { match in
      guard let name = match["n"], let range = match["v"] else { return nil }
      // Not all of these names imply that their values are secret.
      return NamedField(
        name: "authorization token ".utf8 + text[name.moved(by: value.lowerBound)],
        value: range.moved(by: value.lowerBound), context: .header)
    }
  }
}
