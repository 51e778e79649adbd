internal import ProbePCRE2
internal import ProbeCore

/// Finds the values of a text that have a name: in URLs, cookies, forms, scripts, JSON and XML.
enum NamedFields {
  private static let name = "(?<n>[a-z_$][a-z0-9_$.\\[\\]-]{0,63}+)"
  private static let quote = "\\\\{0,3}[\"']"

  /// `?a=b`, and the same within another URL's query, once and twice encoded.
  private static let queries: [SearchPattern] = [
    SearchPattern(
      "(?:&amp;|&\\#38;|&\\#x26;|\\\\u0026|\\\\x26|[?&\\#])\(name)=(?!=)(?<v>[^&;\\#\"'<>\\s\\\\)]++)"),
    SearchPattern(
      "%(?:3f|26|23|3b)\(name)%3d(?<v>(?:[a-z0-9._~+/:@!$*,()-]|%(?!26|23|3b|3f|22|27|3c|20|0a|0d)[0-9a-f]{2})++)"
    ),
    SearchPattern("%25(?:3f|26)\(name)%253d(?<v>(?:[a-z0-9._~-]|%25(?!26|23)[0-9a-f]{2})++)"),
  ]
  private static let form = SearchPattern("(?:^|&)\(name)=(?<v>[^&;\\#\"'<>\\s\\\\)]++)")
  private static let bareQuery = SearchPattern("[?&](?<v>[a-z0-9_-]{16,512}+)(?=[&\\#\"'<>\\s]|$)")
  private static let pathParameter = SearchPattern(
    "(?<=[a-z0-9_./-]);(?<n>[a-z_][a-z0-9_.-]{0,63}+)=(?<v>[a-z0-9._!~-]++)(?=[?\\#\"'&<>\\s/;]|$)")

  /// A member of JSON, a variable of a script, an attribute; with a comma, an argument behind a name in quotes.
  private static let member = SearchPattern(
    "(?<![a-z0-9_$])\(name)(?<q>\(quote)\\]?)?\\s{0,8}(?<o>[:=,])\\s{0,8}\(quote)(?<v>(?:[^\"'<>\\s\\\\]|\\\\/|\\\\[ux]0*[0-9a-f]{2})++)(?=\(quote))"
  )
  private static let number = SearchPattern(
    "\(quote)\(name)\(quote)\\s{0,8}:\\s{0,8}(?<v>[0-9]{4,40}+)(?=\\s*[,}\\]])")
  /// A line of a text that is nothing but a name and a value.
  private static let line = SearchPattern(
    "^[ \\t]*+\(name)[ \\t]?[:=][ \\t]?(?<v>[a-z0-9._~+/=%:-]{4,}+)[ \\t]*+$", .multiline)
  private static let element = SearchPattern(
    "<(?:[a-z0-9_]{1,32}:)?(?<n>[a-z_][a-z0-9_.-]{0,63}+)(?:\\s[^<>]{0,512})?>\\s{0,64}(?:<!\\[CDATA\\[)?(?<v>[^<>\\s\\]]++)\\s{0,64}(?:\\]\\]>)?</"
  )
  /// What a script keeps as a cookie.
  private static let scriptCookie = SearchPattern(
    "cookie\\s{0,8}\\+?=\\s{0,8}\(quote)\\s{0,8}(?<n>[^=;\"'\\s]{1,64}+)=(?<v>[^;\"'\\s\\\\]++)")
  private static let words = SearchPattern(
    "\\b(?<n>(?:your|client|user|source|local)(?:'s)?\\s{1,4}ip(?:v[46])?)(?:\\s{1,4}addr(?:ess)?)?(?:\\s{1,4}is)?\\s{0,4}:?\\s{0,8}(?:<[^<>]{0,200}+>\\s{0,8}){0,4}(?<v>[0-9a-f:.]{2,44}[0-9a-f])"
  )

  private static let tag = SearchPattern("<(?:input|meta|param|button)\\b(?<a>[^<>]++)>")
  private static let attribute = SearchPattern(
    "(?<n>[a-z_:][a-z0-9_:.-]{0,63}+)\\s{0,8}=\\s{0,8}(?:\"(?<d>[^\"]*+)\"|'(?<s>[^']*+)'|\\\\{1,3}[\"'](?<e>[^\"'\\\\]*+)\\\\|(?<u>[^\\s\"'>]++))"
  )

  static var patterns: [SearchPattern] {
    queries + [
      form, bareQuery, pathParameter, member, number, line, element, scriptCookie, words, tag, attribute,
    ]
  }

  /// The fields of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isHead: Whether it is a head, the lines of which are no names and values of a text.
  ///   - isForm: Whether a field may stand at its very start, as in what a form sends.
  /// - Returns: The fields, those of a kind together.
  static func found(in text: [UInt8], isHead: Bool, isForm: Bool) -> [NamedField] {
    var fields: [NamedField] = []
    func add(_ pattern: SearchPattern, _ context: NamedField.Context) {
      for match in pattern.matches(in: text) {
        guard let value = match.groups["v"] else { continue }
        let name = match.groups["n"].map { Array(text[$0]) } ?? []
        fields.append(NamedField(name: name, value: value, context: context))
      }
    }
    for query in queries { add(query, .query) }
    if isForm { add(form, .query) }
    add(bareQuery, .query)
    add(pathParameter, .pathParameter)
    add(number, .member)
    if !isHead { add(line, .member) }
    add(element, .element)
    add(scriptCookie, .cookie)
    add(words, .words)
    fields += members(in: text) + inputs(in: text)
    for index in fields.indices where fields[index].context == .words {
      fields[index].name = Array("client ip".utf8)
    }
    return fields
  }

  private static func members(in text: [UInt8]) -> [NamedField] {
    member.matches(in: text).compactMap { match in
      guard let name = match.groups["n"], let value = match.groups["v"], let sign = match.groups["o"] else {
        return nil
      }
      // Without quotes in front of the comma these are two texts of a list of arguments that have no name.
      if text[sign].first == UInt8(ascii: ","), match.groups["q"] == nil { return nil }
      return NamedField(name: Array(text[name]), value: value, context: .member)
    }
  }

  /// The values of `<input>` and of its like, whatever the order of name and value.
  private static func inputs(in text: [UInt8]) -> [NamedField] {
    tag.matches(in: text).compactMap { match in
      guard let range = match.groups["a"] else { return nil }
      var names: [[UInt8]] = []
      var value: Range<Int>?
      for attribute in attribute.matches(in: Array(text[range])) {
        guard let key = attribute.groups["n"],
          let found = ["d", "s", "u", "e"].lazy.compactMap({ attribute.groups[$0] }).first
        else { continue }
        let place = found.moved(by: range.lowerBound)
        switch text[key.moved(by: range.lowerBound)].text.lowercased() {
        case "name", "property", "http-equiv": names.insert(Array(text[place]), at: 0)
        case "id": names.append(Array(text[place]))
        case "value", "content": value = place
        default: break
        }
      }
      guard let value, !value.isEmpty, let name = names.first else { return nil }
      return NamedField(name: Array(name.prefix(64)), value: value, context: .input)
    }
  }
}

/// A value of a text that has a name, or a place in a URL.
struct NamedField {
  /// Where a value stands.
  enum Context: String {
    case query = "the query field"
    case pathParameter = "the path parameter"
    case cookie = "the cookie"
    case header = "the header field"
    case input = "the form field"
    case element = "the element"
    case member = "the member"
    case path = "a path"
    case words = "the words"
  }

  /// The name; empty where there is none.
  var name: [UInt8]
  /// Where the value stands.
  var value: Range<Int>
  /// Where it stands.
  var context: Context

  /// The place, such as `the query field client_mac`.
  var place: String { name.isEmpty ? context.rawValue : "\(context.rawValue) \(name.text)" }
}

extension NamedField {
  /// What is private in the value, or nil.
  ///
  /// - Parameter text: The text it stands in.
  /// - Returns: What is private.
  func finding(in text: [UInt8]) -> PrivateFinding? {
    let spelled = SpelledText(value, of: text).bytes
    let sense = FieldName.sense(of: name)
    switch sense {
    case .hardwareAddress:
      // With separators it is found without a name.
      if spelled.count == 12, spelled.allSatisfy({ $0.hexDigitValue != nil }) {
        return HardwareAddresses.finding(value, spelled.lowercased, place: place)
      }
    case .clientAddress:
      if var finding = InternetAddresses.finding(value, in: text, place: place) {
        finding.isPrivate = true
        return finding
      }
    case .token, .password, nil: break
    }
    guard OpaqueWord.isPlain(text[value]), isToken(spelled, sense) else { return nil }
    let bytes = OpaqueWord.isHexadecimal(spelled) ? spelled.lowercased : spelled
    return PrivateFinding(
      range: value, value: PrivateValue(kind: .token, bytes: bytes), place: place,
      isPrivate: !TokenShape.isStandIn(spelled))
  }

  private func isToken(_ value: [UInt8], _ sense: FieldName.Sense?) -> Bool {
    guard OpaqueWord.canBeToken(value) else { return false }
    switch (context, sense) {
    case (.cookie, _): return true
    // Some gateways send addresses encrypted.
    case (_, .hardwareAddress), (_, .clientAddress):
      return value.count >= 12
        && (OpaqueWord.isHexadecimal(value) || !OpaqueWord.isReadable(value.filter(\.isWord)))
    case (.query, .password), (.input, .password), (.pathParameter, .password): return true
    case (.element, .token) where name.lowercased == Array("code".utf8): return false
    case (_, .token), (_, .password): return !OpaqueWord.isWord(value)
    case (.query, _), (.input, _), (.path, _), (.pathParameter, _): return OpaqueWord.isLong(value)
    // Such as the number of a request, by which a server's log tells who it was.
    case (.header, _): return FieldName.words(of: name).last == "id" && OpaqueWord.isLong(value)
    case (.element, _), (.member, _), (.words, _): return false
    }
  }
}

/// Finds words that only a machine has made among the parts of the paths of URLs.
enum URLPaths {
  private static let path = SearchPattern(
    "(?:[a-z][a-z0-9+.-]{1,15}:(?:\\\\?/){2}|%3a%2f%2f|[\"'(=>\\s]\\.{0,2}\\\\?/|^/)(?<p>[^\\s\"'<>()?\\#&;,]{16,}+)"
  )
  private static let part = SearchPattern(
    "(?<=/|%2f|^)(?<v>[a-z0-9_~.-]{16,512}?)(?=/|\\\\|%2f|%253|%3f|%23|%26|\\.(?:html?|php|aspx?|jsp|cgi|do)|$)"
  )
  /// Names of files that a page is made of are no secret, whatever they are.
  private static let assets = [
    ".js", ".mjs", ".css", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".avif", ".woff",
    ".woff2", ".ttf",
    ".map", ".mp4", ".json",
  ]

  static var patterns: [SearchPattern] { [path, part] }

  /// The parts of paths in a text that tell somebody apart.
  static func found(in text: [UInt8]) -> [NamedField] {
    path.matches(in: text).flatMap { match -> [NamedField] in
      guard let range = match.groups["p"] else { return [] }
      let end = text[range].suffix(6).text.lowercased()
      if assets.contains(where: end.hasSuffix) { return [] }
      return part.matches(in: Array(text[range])).map { part in
        NamedField(name: [], value: part.range.moved(by: range.lowerBound), context: .path)
      }
    }
  }
}
