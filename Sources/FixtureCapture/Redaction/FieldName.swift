internal import ProbeCore

/// Classifies the value of a field, an element, a member or a variable by its name.
enum FieldName {
  /// The class of a value.
  enum Sense {
    /// The value is a hardware address.
    case hardwareAddress
    /// The value is an address of the client.
    case clientAddress
    /// The value is a token, a session ID, or similar.
    case token
    /// The value is a password, which may be an ordinary word.
    case password
  }

  /// The class of the value, or nil if the name does not suggest one.
  static func sense(of name: some Collection<UInt8>) -> Sense? {
    guard name.count <= 96 else { return nil }
    let words = words(of: name)
    guard let last = words.last else { return nil }
    let whole = words.joined()
    if isHardwareAddress(whole, words) { return .hardwareAddress }
    if clientAddresses.contains(whole) { return .clientAddress }
    if about.contains(last) { return nil }
    if passwords.contains(where: whole.hasSuffix) || ["pass", "pin", "pwd"].contains(last) {
      return .password
    }
    return isToken(whole, words) ? .token : nil
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

  private static let passwords = ["password", "passwd", "passcode", "passphrase", "secret"]

  private static let parts = [
    "token", "session", "sessid", "csrf", "xsrf", "nonce", "challenge", "ticket", "signature", "apikey",
    "voucher",
    "credential", "accesskey", "authcode", "accesscode", "fingerprint", "viewstate",
  ].map { Array($0.utf8) }
  private static let wholeWords: Set<String> = [
    "auth", "bearer", "cookie", "digest", "fas", "hash", "hid", "hmac", "iv", "jwt", "magic", "mauth",
    "nounce", "opaque",
    "otp", "sess", "sid", "sig", "tid", "tok", "uuid", "guid",
  ]
  /// A code or a key is private as the whole name, or after one of these words; `keyCode` and `zipCode` are
  /// not.
  private static let owners: Set<String> = [
    "access", "activation", "api", "auth", "invite", "login", "otp", "pass", "pin", "private", "promo",
    "room", "secret",
    "security", "session", "sms", "user", "verification", "voucher", "wifi",
  ]

  private static func isToken(_ whole: String, _ words: [String]) -> Bool {
    // `String.contains` is many times slower, and a page may have a million names.
    let bytes = Array(whole.utf8)
    if bytes.indices.contains(where: { start in parts.contains { bytes[start...].starts(with: $0) } })
      || words.contains(where: wholeWords.contains)
    {
      return true
    }
    guard let last = words.last, last == "code" || last == "key" else { return false }
    return words.count == 1 || owners.contains(words[words.count - 2])
  }

  /// The words of a name in lower case; they are the same for `client_mac`, `clientMac` and `Client-MAC`.
  static func words(of name: some Collection<UInt8>) -> [String] {
    var words: [[UInt8]] = [[]]
    var previous: UInt8 = 0
    for byte in name {
      if byte.isASCIIUppercase, previous.isASCIILowercase || previous.isASCIIDigit { words.append([]) }
      if byte.isWord {
        words[words.count - 1].append(byte.asciiLowercased)
      } else {
        words.append([])
      }
      previous = byte
    }
    return words.filter { !$0.isEmpty }.map(\.text)
  }
}
