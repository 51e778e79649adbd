internal import ProbeCore
internal import ProbePatterns

/// Finds named values in a text: in URLs, cookies, forms, scripts, JSON and XML.
enum NamedFields {
  private static let name = "(?<n>[a-z_$][a-z0-9_$.\\[\\]-]{0,63}+)"
  private static let quote = "\\\\{0,3}[\"']"

  /// `?a=b`, and the same within the query of another URL, encoded once or twice.
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

  /// A JSON member, a script variable or an attribute; with a comma, an argument after a quoted name.
  private static let member = SearchPattern(
    "(?<![a-z0-9_$])\(name)(?<q>\(quote)\\]?)?\\s{0,8}(?<o>[:=,])\\s{0,8}\(quote)(?<v>(?:[^\"'<>\\s\\\\]|\\\\/|\\\\[ux]0*[0-9a-f]{2})++)(?=\(quote))"
  )
  private static let number = SearchPattern(
    "\(quote)\(name)\(quote)\\s{0,8}:\\s{0,8}(?<v>[0-9]{4,40}+)(?=\\s*[,}\\]])")
  /// A line that consists of a name and a value only.
  private static let line = SearchPattern(
    "^[ \\t]*+\(name)[ \\t]?[:=][ \\t]?(?<v>[a-z0-9._~+/=%:-]{4,}+)[ \\t]*+$", .multiline)
  private static let element = SearchPattern(
    "<(?:[a-z0-9_]{1,32}:)?(?<n>[a-z_][a-z0-9_.-]{0,63}+)(?:\\s[^<>]{0,512})?>\\s{0,64}(?:<!\\[CDATA\\[)?(?<v>[^<>\\s\\]]++)\\s{0,64}(?:\\]\\]>)?</"
  )
  /// A cookie set by a script.
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

  /// The named values in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isHead: Whether it is a head, whose lines are parsed elsewhere.
  ///   - isForm: Whether a field may be at its very start, as in a submitted form.
  /// - Returns: The fields, grouped by context.
  static func found(in text: [UInt8], isHead: Bool, isForm: Bool) -> [NamedField] {
    var fields: [NamedField] = []
    func add(_ pattern: SearchPattern, _ context: NamedField.Context) {
      pattern.forEachMatch(in: text) { match in
        guard let value = match["v"], value.count >= NamedField.minimumLength else { return }
        fields.append(NamedField(name: match["n"].map { text[$0] } ?? [], value: value, context: context))
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
      fields[index].name = ArraySlice("client ip".utf8)
    }
    return fields
  }

  private static func members(in text: [UInt8]) -> [NamedField] {
    member.compactMap(in: text) { match in
      guard let value = match["v"], value.count >= NamedField.minimumLength, let name = match["n"],
        let sign = match["o"]
      else { return nil }
      // Without a quote before the comma, these are two elements of an argument list without names.
      if text[sign].first == UInt8(ascii: ","), match["q"] == nil { return nil }
      return NamedField(name: text[name], value: value, context: .member)
    }
  }

  /// The values of `<input>` and similar elements, whatever the order of name and value.
  private static func inputs(in text: [UInt8]) -> [NamedField] {
    tag.compactMap(in: text) { match in
      guard let range = match["a"] else { return nil }
      var (name, id): (Range<Int>?, Range<Int>?)
      var value: Range<Int>?
      attribute.forEachMatch(in: Array(text[range])) { match in
        guard let key = match["n"], key.count <= 10,
          let found = match["d"] ?? match["s"] ?? match["u"] ?? match["e"]
        else { return }
        let valueRange = found.moved(by: range.lowerBound)
        switch text[key.moved(by: range.lowerBound)].text.lowercased() {
        // Of several names the last one counts, and of several IDs the first.
        case "name", "property", "http-equiv": name = valueRange
        case "id": id = id ?? valueRange
        case "value", "content": value = valueRange
        default: break
        }
      }
      guard let value, value.count >= NamedField.minimumLength, let name = name ?? id else { return nil }
      return NamedField(name: text[name].prefix(64), value: value, context: .input)
    }
  }
}

/// A named value in a text, or a value in the path of a URL.
struct NamedField {
  /// The kind of location where a value occurs.
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

  /// The minimum length of a value that can be private, such as `::`.
  static let minimumLength = 2
  /// The maximum length of one: 65 536 characters, each in the longest spelling.
  private static let maximumLength = 65_536 * 40

  /// The name; empty if there is none.
  var name: ArraySlice<UInt8>
  var value: Range<Int>
  /// The kind of location.
  var context: Context

  /// A description of the location, such as `the query field client_mac`.
  var location: String { name.isEmpty ? context.rawValue : "\(context.rawValue) \(name.text)" }
}

extension NamedField {
  /// The private data in the value: the value as a whole, or the addresses in it.
  ///
  /// - Parameter text: The text that contains it.
  /// - Returns: The findings.
  func findings(in text: [UInt8]) -> [PrivateFinding] {
    guard value.count >= Self.minimumLength, value.count <= Self.maximumLength else { return [] }
    let unescaped = UnescapedText.bytes(value, of: text)
    // The meaning of the name is examined last, because that takes longest.
    let canBeMAC = unescaped.count == 12 && unescaped.allSatisfy { $0.hexDigitValue != nil }
    let canBeToken = OpaqueWord.isPlain(text[value]) && OpaqueWord.canBeToken(unescaped)
    guard canBeMAC || canBeToken || InternetAddresses.canBeAddress(unescaped) else { return [] }
    let sense = FieldName.sense(of: name)
    switch sense {
    // With separators it is recognized without a name.
    case .hardwareAddress where canBeMAC:
      return HardwareAddresses.finding(value, unescaped.lowercased, location: location).map { [$0] } ?? []
    case .clientAddress:
      let addresses = addresses(in: text)
      if !addresses.isEmpty { return addresses }
    case .hardwareAddress, .token, .password, nil: break
    }
    guard canBeToken, isToken(unescaped, sense) else { return [] }
    let bytes = OpaqueWord.isHexadecimal(unescaped) ? unescaped.lowercased : unescaped
    return [
      PrivateFinding(
        range: value, value: PrivateValue(kind: .token, bytes: bytes), location: location,
        isPrivate: !TokenShape.isPlaceholder(unescaped))
    ]
  }

  /// The address that the value is, or those in it: in brackets, with a port, or in a list.
  private func addresses(in text: [UInt8]) -> [PrivateFinding] {
    let whole = InternetAddresses.finding(value, in: text, location: location).map { [$0] }
    let found =
      whole
      ?? InternetAddresses.found(in: Array(text[value])).map { address in
        var address = address.moved(by: value.lowerBound)
        address.location = location
        return address
      }
    return found.map { address in
      var address = address
      address.isPrivate = true
      return address
    }
  }

  private func isToken(_ value: [UInt8], _ sense: FieldName.Sense?) -> Bool {
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
    // For instance a request ID, by which a server's log identifies the client.
    case (.header, _): return SecretNames.words(of: name).last == "id" && OpaqueWord.isLong(value)
    case (.element, _), (.member, _), (.words, _): return false
    }
  }
}

/// Finds machine-generated words in the paths of URLs.
enum URLPaths {
  /// A scheme of up to 16 characters precedes the colon.
  private static let scheme = (1...15).map { "[a-z][a-z0-9+.-]{\($0)}" }.joined(separator: "|")
  private static let path = SearchPattern(
    "(?:(?<=\(scheme)):(?:\\\\?/){2}|%3a%2f%2f|[\"'(=>\\s]\\.{0,2}\\\\?/|^/)(?<p>[^\\s\"'<>()?\\#&;,]{16,}+)"
  )
  private static let part = SearchPattern(
    "(?<=/|%2f|^)(?<v>[a-z0-9_~.-]{16,512}?)(?=/|\\\\|%2f|%253|%3f|%23|%26|\\.(?:html?|php|aspx?|jsp|cgi|do)|$)"
  )
  /// The names of a page's files are never secret.
  private static let assets = [
    ".js", ".mjs", ".css", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".avif", ".woff",
    ".woff2", ".ttf",
    ".map", ".mp4", ".json",
  ]

  static var patterns: [SearchPattern] { [path, part] }

  /// The path segments in a text that identify a person or device.
  static func found(in text: [UInt8]) -> [NamedField] {
    var fields: [NamedField] = []
    path.forEachMatch(in: text) { match in
      guard let range = match["p"] else { return }
      let end = text[range].suffix(6).text.lowercased()
      if assets.contains(where: end.hasSuffix) { return }
      part.forEachMatch(in: Array(text[range])) { part in
        fields.append(NamedField(name: [], value: part.range.moved(by: range.lowerBound), context: .path))
      }
    }
    return fields
  }
}

/// Classifies the value of a field, an element, a member or a variable by its name.
enum FieldName {
  /// The class of a value.
  enum Sense {
    case hardwareAddress
    case clientAddress
    /// The value is a token, a session ID, or similar.
    case token
    /// The value is a password, which may be an ordinary word.
    case password
  }

  /// The class of the value, or nil if the name does not suggest one.
  static func sense(of name: some Collection<UInt8>) -> Sense? {
    guard name.count <= 96 else { return nil }
    let words = SecretNames.words(of: name)
    guard let last = words.last else { return nil }
    let whole = words.joined()
    if isHardwareAddress(whole, words) { return .hardwareAddress }
    if clientAddresses.contains(whole) { return .clientAddress }
    if about.contains(last) { return nil }
    switch SecretNames.sense(ofWords: words) {
    case .password: return .password
    case .credential, .session, .generated: return .token
    case nil: return nil
    }
  }

  private static func isHardwareAddress(_ whole: String, _ words: [String]) -> Bool {
    if whole.hasSuffix("mac") { return !whole.hasSuffix("hmac") }
    return ["macaddr", "macaddress", "calledstationid", "callingstationid", "called", "calling"].contains {
      whole.hasSuffix($0)
    } || words.contains("bssid") || words.contains("mac")
  }

  private static let clientAddresses: Set<String> = [
    "ip", "sip", "uip", "cip", "ueip", "ipaddress", "ipaddr", "ipv4", "ipv6", "clientip", "clientipv4",
    "clientipv6",
    "clientipaddress", "clientipaddr", "clientaddress", "clientaddr", "userip", "useripv4", "useripv6",
    "useripaddress", "useraddress", "useraddr", "usrip", "deviceip", "deviceipaddress", "stationip", "staip",
    "myip",
    "yourip", "remoteip", "remoteaddr", "remoteaddress", "sourceip", "srcip", "framedipaddress", "framedip",
    "wlanuserip", "wlanuseripv6", "xforwardedfor", "xrealip", "xclientip", "trueclientip", "cfconnectingip",
    "guestip", "hostip", "visitorip", "ipclient", "addressip",
  ]

  /// Last words of names that are about a token but do not contain it: `session-timeout`, `token_url`.
  private static let about: Set<String> = [
    "algorithm", "alg", "class", "color", "count", "description", "domain", "duration", "enabled", "end",
    "endpoint",
    "error", "expire", "expired", "expires", "expiry", "field", "form", "format", "header", "help", "hint",
    "href",
    "input", "label", "lang", "language", "len", "length", "limit", "link", "max", "message", "method", "min",
    "mode",
    "msg", "name", "page", "param", "path", "placeholder", "policy", "provider", "remaining", "required",
    "rule",
    "seconds", "size", "start", "status", "style", "text", "time", "timeout", "title", "type", "uri", "url",
    "version",
  ]
}
