import ProbeBase

/// The names whose values are secrets: the only list of them.
///
/// It serves header fields, the keys of files, the settings of modules, and the fields, members and variables of
/// captured pages. Names count word by word, so `client_secret`, `clientSecret` and `Client-Secret` are equal.
package enum SecretNames {
  /// What the value of a name is.
  package enum Sense: Hashable, Sendable {
    /// A password, which may be an ordinary word.
    case password
    /// Another text that grants access, such as a token or a key.
    case credential
    /// What identifies a session; in a header field it grants access too.
    case session
    /// What a page generates, such as a nonce or a hash.
    case generated
  }

  /// What the value of a name is; nil if the name does not suggest a secret.
  package static func sense(of name: some Collection<UInt8>) -> Sense? {
    sense(ofWords: words(of: name))
  }

  /// What the value of a name with these words is; see ``words(of:)``.
  package static func sense(ofWords words: [String]) -> Sense? {
    guard let last = words.last else { return nil }
    let whole = Array(words.joined().utf8)
    if passwords.contains(where: { whole.ends(with: $0) }) || ["pass", "pin", "pwd"].contains(last) {
      return .password
    }
    if passwordParts.occur(in: whole) || credentialParts.occur(in: whole)
      || words.contains(where: credentialWords.contains) || words == ["basic"]
      || beginsWithXAuth(words) || isOwned(last, words)
    {
      return .credential
    }
    if sessionParts.occur(in: whole) || words.contains(where: sessionWords.contains) { return .session }
    let isAlone = words.count == 1 && (last == "code" || last == "key")
    return isAlone || generatedParts.occur(in: whole) || words.contains(where: generatedWords.contains)
      ? .generated : nil
  }

  /// Whether the value of a key in a file is a secret.
  package static func isSecretKey(_ name: some StringProtocol) -> Bool {
    switch sense(of: Array(name.utf8)) {
    case .password, .credential: true
    case .session, .generated, nil: false
    }
  }

  /// Whether the value of a header field grants access.
  package static func isSecretField(_ name: String) -> Bool {
    switch sense(of: Array(name.utf8)) {
    case .password, .credential, .session: true
    case .generated, nil: false
    }
  }

  /// Whether a name may be a misspelled one whose value is a secret, such as `pasword` or `baerer_token`.
  package static func mayBeSecretKey(_ name: some StringProtocol) -> Bool {
    if isSecretKey(name) { return true }
    let words = words(of: Array(name.utf8.prefix(maximumNameLength)))
    let candidates = words + (words.count > 1 ? [words.joined()] : [])
    return candidates.contains { word in
      let letters = Array(word.utf8)
      let kinds = letterSet(letters)
      for known in wholeWords {
        let maximum = known.letters.count < 8 ? 1 : 2
        // An edit adds and removes at most one kind of letter; skip the slow comparison of others.
        let difference = letters.count - known.letters.count
        if difference <= maximum, 0 - difference <= maximum,
          (kinds ^ known.kinds).nonzeroBitCount <= 2 * maximum,
          editDistance(letters, known.letters) <= maximum
        {
          return true
        }
      }
      return false
    }
  }

  /// The words of a name in lower case; they are the same for `client_mac`, `clientMac` and `Client-MAC`.
  package static func words(of name: some Collection<UInt8>) -> [String] {
    let bytes = Array(name)
    var words: [String] = []
    var word: [UInt8] = []
    var previous: UInt8 = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      let isWord = byte.isASCIILetter || byte.isASCIIDigit
      let isWordStart = byte.isASCIIUppercase && (previous.isASCIILowercase || previous.isASCIIDigit)
      if !word.isEmpty, isWordStart || !isWord {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      if isWord { word.append(byte.asciiLowercased) }
      previous = byte
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }
}

extension SecretNames {
  /// The maximum length of a name that is compared with misspelled ones, in bytes.
  private static let maximumNameLength = 64

  private static let passwords = ["password", "passwd", "passcode", "passphrase", "secret"].map {
    Array($0.utf8)
  }

  /// Parts of names, also across words.
  private struct Parts {
    /// The parts by their first letters, as far as these are letters in lower case.
    let parts: [[[UInt8]]]

    init(_ parts: [[UInt8]]) {
      var table = [[[UInt8]]](repeating: [], count: 128)
      for part in parts where !part.isEmpty { table[Int(widening: part[0] & 0x7F)].append(part) }
      self.parts = table
    }

    /// Whether one of them is in a name; a file may have a hundred thousand, and a page a million.
    func occur(in name: [UInt8]) -> Bool {
      var start = 0
      while start < name.count {
        for part in parts[Int(widening: name[start] & 0x7F)] where name.hasPart(part, at: start) {
          return true
        }
        start += 1
      }
      return false
    }
  }

  private static let passwordParts = Parts(passwords)

  private static let credentialParts = Parts(
    ["token", "apikey", "accesskey", "credential", "sessionid", "sessid", "authcode", "accesscode"].map {
      Array($0.utf8)
    })

  private static let credentialWords: Set<String> = [
    "auth", "authenticate", "authentication", "authn", "authorization", "bearer", "cookie", "cookies", "jwt",
    "otp", "tok",
  ]

  /// Whether the name of a header field begins with `X-Auth`, as do `X-Authenticated-User` and `x-authkey`, but not
  /// with `X-Author`.
  private static func beginsWithXAuth(_ words: [String]) -> Bool {
    guard words.count > 1, words[0] == "x" else { return false }
    return words[1].utf8.starts(with: "auth".utf8) && !words[1].utf8.starts(with: "author".utf8)
  }

  /// The words before `key` and `code`, which alone may be anything: `keyCode` and `zipCode` are not secret.
  private static let owners: Set<String> = [
    "access", "account", "activation", "api", "auth", "certificate", "encryption", "functions", "invite",
    "login", "master", "otp", "pass", "pin", "private", "promo", "room", "secret", "security", "session",
    "shared",
    "signing", "sms", "subscription", "user", "verification", "voucher", "wifi",
  ]

  private static func isOwned(_ last: String, _ words: [String]) -> Bool {
    (last == "code" || last == "key") && words.count > 1 && owners.contains(words[words.count - 2])
  }

  private static let sessionParts = Parts(
    ["session", "csrf", "xsrf", "ticket", "voucher"].map { Array($0.utf8) })
  private static let sessionWords: Set<String> = ["sess", "sid"]

  private static let generatedParts = Parts(
    ["nonce", "challenge", "signature", "fingerprint", "viewstate"].map { Array($0.utf8) })
  private static let generatedWords: Set<String> = [
    "digest", "fas", "guid", "hash", "hid", "hmac", "iv", "magic", "mauth", "nounce", "opaque", "sig", "tid",
    "uuid",
  ]

  /// The words whose misspellings count; shorter ones are similar to too many others, and so is `sessionid` to
  /// `session`.
  private static let wholeWords =
    (passwords
    + [
      "token", "tokens", "apikey", "accesskey", "credential", "credentials", "authorization",
      "bearer", "bearertoken", "cookie",
    ].map { Array($0.utf8) }).map { (letters: $0, kinds: letterSet($0)) }

  /// The kinds of letters in a word, as bits.
  private static func letterSet(_ letters: [UInt8]) -> UInt64 {
    var set: UInt64 = 0
    var index = 0
    while index < letters.count {
      set |= 1 << UInt64(widening: letters[index] & 0x3F)
      index += 1
    }
    return set
  }
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool {
    count >= other.count && hasPart(other, at: count - other.count)
  }

  fileprivate func hasPart(_ part: [UInt8], at start: Int) -> Bool {
    guard start + part.count <= count else { return false }
    var index = 0
    while index < part.count, self[start + index] == part[index] { index += 1 }
    return index == part.count
  }
}
