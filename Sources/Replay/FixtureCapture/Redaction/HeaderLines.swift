internal import ProbeCore
internal import ProbePatterns

/// The head of an HTTP message, parsed line by line.
struct HeaderLines {
  /// The header fields whose values may be private.
  private(set) var fields: [NamedField] = []
  /// The ranges that frame the message, in which no private value is recognized; addresses in them are, because
  /// they are not framing.
  private(set) var framing: [Range<Int>] = []
  /// The parts of these ranges that have a meaning and must not change, even if they equal a secret.
  private(set) var fixed: [Range<Int>] = []
  /// The values of Content-Length.
  private(set) var lengths: [Range<Int>] = []
  /// The end of the version and status, which must not change; the start of the head if it has neither.
  private(set) var statusEnd = 0
  /// Whether it is the head of an interim response (RFC 9110 §15.2), so that another head follows.
  private(set) var isInterim = false
  /// The content codings in lower case.
  var codings: [String] = []
  /// Whether the content is sent in chunks.
  private(set) var isChunked = false
  /// The length of the content that the first Content-Length announces, or nil.
  private(set) var length: Int?
  /// The label of UTF-16 or UTF-32 in Content-Type in lower case, or nil if there is another label or none.
  private(set) var wideCharset: String?
  /// Whether the content is an image, a font, a sound or a film in a binary format.
  private(set) var isMedia = false

  private static let credentials = SearchPattern(
    "(?<n>nonce|opaque|response|cnonce|token|key)\\s{0,8}=\\s{0,8}\"?(?<v>[^\",\\s]++)")
  private static let status = SearchPattern("^HTTP/(?:[0-9](?:\\.[0-9])?(?: {1,8}(?<s>[0-9]{3}))?)?")
  private static let wideCharset = SearchPattern(
    "(?:^|;)\\s{0,8}charset\\s{0,8}=\\s{0,8}[\"']?(?<c>utf-(?:16|32)(?:le|be)?)[\"']?\\s{0,8}(?:;|$)")

  static var patterns: [SearchPattern] { [credentials, status, wideCharset] }

  /// The codings and the connection options that change how a message is read.
  private static let words: Set<String> = [
    "br", "chunked", "close", "compress", "deflate", "gzip", "identity", "keep-alive", "upgrade",
    "x-compress",
    "x-gzip", "zstd",
  ]

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
        fixed.append(line.lowerBound..<statusEnd)
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
    case "content-length":
      addFraming(line, colon, value, of: text)
      lengths.append(value)
      length = length ?? Int(text: text[value].text, in: 0 ... .max)
    case "connection", "content-range", "keep-alive": addFraming(line, colon, value, of: text)
    case "content-encoding":
      addFraming(line, colon, value, of: text)
      self.codings += codings
    case "transfer-encoding":
      addFraming(line, colon, value, of: text)
      // Some clients ignore a further field.
      isChunked = isChunked || codings.last == "chunked"
      self.codings += codings.filter { $0 != "chunked" }
    case "content-type":
      isMedia =
        ["image/", "font/", "audio/", "video/", "application/font", "application/vnd.ms-fontobject"]
        .contains(where: words.hasPrefix) && !words.hasPrefix("image/svg")
      let labels = Self.wideCharset.compactMap(in: Array(text[value])) { $0["c"] }
      wideCharset = labels.first.map { text[$0.moved(by: value.lowerBound)].text.lowercased() }
    // The parts behind the first semicolon are attributes, such as Domain.
    case "set-cookie": fields += cookies(in: firstPart(of: value, in: text), of: text)
    case "cookie": fields += cookies(in: value, of: text)
    case "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate",
      "authentication-info":
      addCredentials(name, value, of: text)
    default: fields.append(NamedField(name: name[...], value: value, context: .header))
    }
  }

  private func firstPart(of value: Range<Int>, in text: [UInt8]) -> Range<Int> {
    value.lowerBound..<(text[value].firstIndex(of: UInt8(ascii: ";")) ?? value.upperBound)
  }

  /// Adds a line that frames the message, of which only the name and the words with a meaning are fixed.
  private mutating func addFraming(_ line: Range<Int>, _ colon: Int, _ value: Range<Int>, of text: [UInt8]) {
    framing.append(line)
    fixed.append(line.lowerBound..<(colon + 1))
    for word in text[value].split(separator: UInt8(ascii: ",")) {
      let word = word.trimming(where: \.isFieldSpace)
      if Self.words.contains(word.text.lowercased()) { fixed.append(word.startIndex..<word.endIndex) }
    }
  }

  /// The cookies in a list of pairs; a cookie may have no name or an empty value (RFC 6265 §5.2).
  private func cookies(in line: Range<Int>, of text: [UInt8]) -> [NamedField] {
    text[line].split(separator: UInt8(ascii: ";")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "="))
      var value = pair[(equals.map { $0 + 1 } ?? pair.startIndex)...].trimming(where: \.isFieldSpace)
      if value.first == UInt8(ascii: "\"") { value = value.dropFirst() }
      value = value.prefix { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
      return NamedField(
        name: equals.map { pair[..<$0].trimming(where: \.isFieldSpace).prefix(64) } ?? [],
        value: value.startIndex..<value.endIndex,
        context: .cookie)
    }
  }

  /// Adds the word after the scheme, as in `Bearer abc`, or the parameters that differ between responses.
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
