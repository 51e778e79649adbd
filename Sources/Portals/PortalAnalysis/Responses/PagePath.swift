import ProbeBase
import ProbeCore

/// The purpose of a page, as stated by its path.
enum PagePath {
  /// Whether a reference ends a session, as `/logout`, `/log-out` and `?cmd=logout` do.
  static func endsSession(_ reference: String) -> Bool { PathWords(reference).endsSession }

  /// Whether a reference belongs to the administration of a device.
  static func isAdministration(_ reference: String) -> Bool { PathWords(reference).isAdministration }

  /// Whether a query, in lower case, names the administration of a device or a program.
  static func isAdministration(inQuery query: [UInt8]) -> Bool {
    query.contains(bytes: "=admin/".utf8) || query.contains(bytes: "=/admin".utf8)
      || query.contains(bytes: "=admin&".utf8)
      || query.suffix(6).elementsEqual("=admin".utf8)
  }

  /// Whether a path is that of a session that exists, such as `/status.html`.
  static func isSessionPath(_ path: String) -> Bool {
    let slash = UInt8(ascii: "/")
    guard let last = path.utf8.lastIndex(where: { $0 != slash }) else { return false }
    let start = path.utf8[...last].lastIndex(of: slash) ?? path.startIndex
    let name = path.utf8[start...last].drop { $0 == slash }.prefix { $0 != UInt8(ascii: ".") }
    return name.count <= 64 && sessions.contains(String(decoding: name, as: UTF8.self).lowercased())
  }

  private static let sessions: Set = [
    "status", "session", "sessionstatus", "session-status", "success", "loginsuccess", "login-success",
    "logged-in",
    "loggedin", "alogin", "connected", "online", "keepalive", "done",
  ]

  /// Whether the path of a reference names another purpose than a login: searching, subscribing, contacting someone.
  static func hasNonLoginPurpose(_ reference: String) -> Bool { PathWords(reference).hasNonLoginPurpose }

  /// Whether the name of a field is of such a purpose.
  static func hasNonLoginPurpose(field name: String) -> Bool { PathWords(name: name).hasNonLoginPurpose }
}

/// The words of the path of a reference, and the meaning of the values of its query.
///
/// A word consists of ASCII letters, in lower case; every other character separates words.
struct PathWords {
  /// The letters of all words, one after another.
  private var letters: [UInt8] = []
  /// The offset after each word in ``letters``.
  private var ends: [Int] = []
  /// Whether a value of the query ends a session.
  private var hasEndingValue = false

  /// How much of a path or a name is read, and a quarter of what is read of a query, in bytes.
  private static let maximum = 1024

  /// Reads a reference; the host of a URL is no part of the path.
  init(_ reference: String) {
    let bytes = reference.utf8.prefix(5 * Self.maximum)
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    let path = bytes[..<end]
    // Without a scheme, a host follows two slashes.
    read(path: path.starts(with: "//".utf8) ? Self.withoutHost(path.dropFirst(2)) : path)
    read(query: bytes[end...].dropFirst().prefix { $0 != UInt8(ascii: "#") })
  }

  /// Reads the path and the query of a URL.
  init(_ url: ProbeURL) {
    read(path: url.path.utf8[...])
    read(query: (url.query ?? "").utf8[...])
  }

  /// Reads a name, such as that of a field.
  init(name: String) { read(name.utf8.prefix(Self.maximum)) }

  /// Reads a path; the host of a URL in it, as the paths of some gateways have, is no part of it.
  private mutating func read(path: Substring.UTF8View) {
    let path = path.prefix(Self.maximum)
    guard let colon = path.firstIndex(of: UInt8(ascii: ":")), path[colon...].starts(with: "://".utf8) else {
      return read(path)
    }
    read(path[..<colon])
    read(Self.withoutHost(path[colon...].dropFirst(3)))
  }

  private static func withoutHost(_ text: Substring.UTF8View) -> Substring.UTF8View {
    text.drop { $0 != UInt8(ascii: "/") }
  }

  private mutating func read(query: Substring.UTF8View) {
    let query = query.prefix(4 * Self.maximum)
    hasEndingValue = query.split(separator: UInt8(ascii: "&")).contains { field in
      guard let sign = field.firstIndex(of: UInt8(ascii: "=")) else { return false }
      let value = field[sign...].dropFirst().prefix(32).map(\.asciiLowercased)
      return Self.sessionEnds.contains(value)
    }
  }

  private mutating func read(_ name: Substring.UTF8View) {
    letters.reserveCapacity(name.count)
    if name.contains(UInt8(ascii: "%")) {
      for byte in Self.decoded(name) { read(byte) }
    } else {
      for byte in name { read(byte.asciiLowercased) }
    }
    endWord()
  }

  private mutating func read(_ byte: UInt8) {
    if byte.isASCIILetter { letters.append(byte) } else { endWord() }
  }

  private mutating func endWord() {
    if letters.count > ends.last ?? 0 { ends.append(letters.count) }
  }

  /// The bytes in lower case, with those that are percent-encoded decoded (RFC 3986 §2.1).
  ///
  /// Unlike `percentDecoded`, it also decodes what a decoded byte begins, such as `%2541`: portals encode twice.
  private static func decoded(_ name: some Sequence<UInt8>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(name.underestimatedCount)
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

  /// A word, or several that follow each other, joined.
  private func word(_ index: Int, joinedTo last: Int? = nil) -> ArraySlice<UInt8> {
    letters[(index == 0 ? 0 : ends[index - 1])..<ends[last ?? index]]
  }

  /// Whether it ends a session, as `/logout`, `/log-out` and `?cmd=logout` do.
  var endsSession: Bool {
    hasEndingValue
      || ends.indices.contains {
        Self.isSessionEnd(word($0)) || $0 + 1 < ends.count && Self.isSessionEnd(word($0, joinedTo: $0 + 1))
      }
  }

  /// Whether a word of a path ends a session, perhaps joined to another: `userlogout`, `logoutform`.
  private static func isSessionEnd(_ word: ArraySlice<UInt8>) -> Bool {
    sessionEnds.contains { $0.count == word.count && word.elementsEqual($0) }
      || joinedSessionEnds.contains { end in
        guard word.count > end.count else { return false }
        // `blogout` is not a logout.
        let isBlog = word.count == end.count + 1 && word.first == UInt8(ascii: "b")
        return word.prefix(end.count).elementsEqual(end)
          || !isBlog && word.suffix(end.count).elementsEqual(end)
      }
  }

  private static let joinedSessionEnds = ["logout", "logoff", "signout"].map { Array($0.utf8) }
  private static let sessionEnds = [
    "logout", "logoff", "signout", "signoff", "disconnect", "sair", "desconectar", "deconnexion", "abmelden",
    "uitloggen",
  ].map { Array($0.utf8) }

  /// Whether it belongs to the administration of a device.
  var isAdministration: Bool {
    ends.indices.contains { index in
      let word = word(index)
      return Self.administrations.contains { $0.count == word.count && word.elementsEqual($0) }
        || index + 1 < ends.count
          && Self.administrationPairs.contains { first, second in
            word.elementsEqual(first.utf8) && self.word(index + 1).elementsEqual(second.utf8)
          }
    }
  }

  /// OpenWrt, RouterOS, TP-Link, and the usual names of administration pages.
  private static let administrations = [
    "admin", "administration", "administrator", "webfig", "userrpm", "yonetim",
  ].map { Array($0.utf8) }
  private static let administrationPairs = [("main", "login"), ("bin", "luci")]

  /// Whether it names another purpose than a login.
  var hasNonLoginPurpose: Bool {
    ends.indices.contains { index in
      let word = word(index)
      return Self.otherPurposes.contains { word.starts(with: $0) }
    }
  }

  private static let otherPurposes = [
    "comment", "contact", "enquiry", "feedback", "inquiry", "newsletter", "offer", "report", "search",
    "subscribe",
  ].map { Array($0.utf8) }
}
