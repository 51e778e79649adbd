import ProbeCore

/// Of which URLs the files of a folder are.
enum CurlURLs {
  /// A line `FILE URL` of a list.
  struct Line {
    /// Which line it is, from 1.
    var number: Int
    var text: String

    private var words: (name: String, url: String)? {
      // A name may have spaces in it, a URL has none.
      guard let gap = text.lastIndex(where: { $0 == " " || $0 == "\t" }) else { return nil }
      let name = text[..<gap]
      let end = name.lastIndex { $0 != " " && $0 != "\t" }
      return end.map { (String(name[...$0]), String(text[text.index(after: gap)...])) }
    }

    /// The name of the file, or nil when there is none.
    var name: String? { words?.name }

    /// The name of the file and the URL.
    ///
    /// - Throws: ``InvalidInput`` when it has not both.
    func output() throws(InvalidInput) -> (name: String, url: ProbeURL) {
      guard let words else {
        throw InvalidInput(
          "\(Excerpt(text)) is no file with a URL", remedy: "write it as answer.http http://example.com/")
      }
      return (words.name, try CurlURLs.url(words.url))
    }
  }

  /// The lines of a list but for empty ones and those that begin with `#`.
  static func lines(_ bytes: [UInt8]) -> [Line] {
    let text = String(
      decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { index, line in
        let start = line.drop(while: \.isWhitespace)
        let end = start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex
        return Line(number: index + 1, text: String(start[..<end]))
      }
      .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
  }

  /// The URL that the name of a file is.
  ///
  /// - Throws: ``InvalidInput`` when it is none, or one of two.
  static func url(ofName name: String) throws(InvalidInput) -> ProbeURL {
    let wayOut = "write a line with its name and the URL into \(CurlFolder.list)"
    var encoded = name[...]
    if let suffix = [".http", ".resp", ".txt"].first(where: name.hasSuffix) {
      encoded = name.dropLast(suffix.count)
      let page = encoded.split(separator: "%2F", omittingEmptySubsequences: false).last ?? ""
      // `…%2Fsuccess.txt` can be a page of that name as well.
      if suffix == ".txt", !page.isEmpty, !page.contains(".") {
        throw InvalidInput(
          "the .txt at the end of its name may be a part of the URL or not",
          remedy: "write .http behind the URL, or \(wayOut)")
      }
    }
    guard let text = decoded(encoded), text.lowercased().hasPrefix("http") else {
      throw InvalidInput("its name is no percent-encoded URL", remedy: wayOut)
    }
    do throws(InvalidInput) {
      return try url(text)
    } catch {
      throw InvalidInput("its name as a URL: \(error.message)", remedy: error.remedy ?? wayOut)
    }
  }

  private static func url(_ text: String) throws(InvalidInput) -> ProbeURL {
    let url = try ProbeURL(String(text.prefix { $0 != "#" }))
    guard url.scheme == .http || url.scheme == .https else {
      throw InvalidInput(
        "the URL has the scheme \(Excerpt(url.scheme.name))", remedy: "only http and https can be read")
    }
    return url
  }

  /// Percent-decodes a name; nil when it has no escapes, or broken ones.
  private static func decoded(_ name: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = name.utf8[...]
    var hasEscape = false
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let text = String(digits), let value = UInt8(text, radix: 16),
        text.first != "+"
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
      hasEscape = true
    }
    return hasEscape ? String(validating: bytes, as: UTF8.self) : nil
  }
}
