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
