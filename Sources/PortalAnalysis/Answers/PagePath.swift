import ProbeASCII

/// The purpose of a page, as stated by its path.
enum PagePath {
  /// Whether a reference ends a session, as `/logout`, `/log-out` and `?cmd=logout` do.
  static func endsSession(_ reference: String) -> Bool {
    let parts = PathWords(reference)
    return parts.words.contains(where: isSessionEnd)
      || zip(parts.words, parts.words.dropFirst()).contains { isSessionEnd($0 + $1) }
      || parts.values.contains(where: sessionEnds.contains)
  }

  /// Whether a word of a path ends a session, perhaps joined to another: `userlogout`, `logoutform`.
  private static func isSessionEnd(_ word: String) -> Bool {
    sessionEnds.contains(word)
      || joinedSessionEnds.contains { word.hasSuffix($0) && word != "b" + $0 || word.hasPrefix($0) }
  }

  private static let joinedSessionEnds = ["logout", "logoff", "signout"]
  private static let sessionEnds: Set = [
    "logout", "logoff", "signout", "signoff", "disconnect", "sair", "desconectar", "deconnexion", "abmelden",
    "uitloggen",
  ]

  /// Whether a reference belongs to the administration of a device.
  static func isAdministration(_ reference: String) -> Bool {
    let words = PathWords(reference).words
    return words.contains(where: administrations.contains)
      || zip(words, words.dropFirst()).contains { $0 == "main" && $1 == "login" }
      || zip(words, words.dropFirst()).contains { $0 == "bin" && $1 == "luci" }
  }

  /// OpenWrt, RouterOS, TP-Link, and the usual names of administration pages.
  private static let administrations: Set = [
    "admin", "administration", "administrator", "webfig", "userrpm", "yonetim",
  ]

  /// Whether a query, in lower case, names the administration of a device or a program.
  static func isAdministration(inQuery query: String) -> Bool {
    query.contains("=admin/") || query.contains("=/admin") || query.hasSuffix("=admin")
      || query.contains("=admin&")
  }

  /// Whether a path is that of a session that exists, such as `/status.html`.
  static func isOfSession(_ path: String) -> Bool {
    let last = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    let name = String(decoding: last.prefix { $0 != UInt8(ascii: ".") }.prefix(64), as: UTF8.self)
      .lowercased()
    return sessions.contains(name)
  }

  private static let sessions: Set = [
    "status", "session", "sessionstatus", "session-status", "success", "loginsuccess", "login-success",
    "logged-in",
    "loggedin", "alogin", "connected", "online", "keepalive", "done",
  ]

  /// Whether the path of a reference names another purpose than a login: searching, subscribing, contacting someone.
  static func isOfAnotherPurpose(_ reference: String) -> Bool {
    PathWords(reference).words.contains { word in otherPurposes.contains(where: word.hasPrefix) }
  }

  /// Whether the name of a field is of such a purpose.
  static func isOfAnotherPurpose(field name: String) -> Bool {
    PathWords.words(of: name.utf8.prefix(PathWords.maximum)).contains { word in
      otherPurposes.contains(where: word.hasPrefix)
    }
  }

  private static let otherPurposes = [
    "comment", "contact", "enquiry", "feedback", "inquiry", "newsletter", "offer", "report", "search",
    "subscribe",
  ]
}

/// The words of the path of a reference, and the values of its query, in lower case.
struct PathWords {
  let words: [String]
  let values: [String]

  /// How much of a reference is read, in bytes.
  static let maximum = 1024

  /// Reads a reference; the host of a URL is no part of the path.
  init(_ reference: String) {
    let bytes = reference.utf8.prefix(4 * Self.maximum)
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    var path = bytes[..<end]
    let slash = UInt8(ascii: "/")
    if let colon = path.firstIndex(of: UInt8(ascii: ":")), path[colon...].starts(with: "://".utf8) {
      path = path[colon...].dropFirst(3).drop { $0 != slash }
    } else if path.starts(with: "//".utf8) {
      path = path.dropFirst(2).drop { $0 != slash }
    }
    words = Self.words(of: path.prefix(Self.maximum))
    let query = bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "#") }
    values = query.split(separator: UInt8(ascii: "&")).compactMap { field in
      field.firstIndex(of: UInt8(ascii: "=")).map {
        String(decoding: field[$0...].dropFirst().prefix(32), as: UTF8.self).lowercased()
      }
    }
  }

  /// The words of ASCII letters in a name, in lower case; every other character separates them.
  static func words(of name: some Sequence<UInt8>) -> [String] {
    decoded(name).split { !$0.isASCIILetter }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes in lower case, with those that are percent-encoded decoded (RFC 3986 §2.1).
  private static func decoded(_ name: some Sequence<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    for byte in name {
      decoded.append(byte.asciiLowercased)
      let count = decoded.count
      if count >= 3, decoded[count - 3] == UInt8(ascii: "%"), let high = decoded[count - 2].hexDigitValue,
        let low = decoded[count - 1].hexDigitValue
      {
        decoded.removeLast(3)
        decoded.append((high << 4 | low).asciiLowercased)
      }
    }
    return decoded
  }
}
