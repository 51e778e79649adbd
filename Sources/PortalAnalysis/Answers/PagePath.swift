/// The purpose of a page, as stated by its path.
enum PagePath {
  /// Whether a reference ends a session, as `/logout` does.
  static func endsSession(_ reference: String) -> Bool { has(sessionEnds, in: reference) }

  /// Whether a reference belongs to the administration of a device.
  static func isAdministration(_ reference: String) -> Bool { has(administrations, in: reference) }

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

  private static let sessionEnds = [
    "logout", "logoff", "log_out", "signout", "sign_out", "disconnect", "/sair", "desconectar", "deconnexion",
    "abmelden", "uitloggen",
  ].map(\.utf8)

  /// OpenWrt, RouterOS, TP-Link, ASUS, and the usual names of administration pages.
  private static let administrations = [
    "/cgi-bin/luci", "/webfig", "/userrpm/", "main_login.asp", "/admin", "admin.php", "admin.cgi",
    "admin.asp", "/yonetim",
  ].map(\.utf8)

  private static func has(_ words: [String.UTF8View], in reference: String) -> Bool {
    let path = reference.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let bytes = path.prefix(1024).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return words.contains { word in
      bytes.indices.contains { bytes[$0...].starts(with: word) }
    }
  }
}
