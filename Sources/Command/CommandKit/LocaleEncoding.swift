/// The encoding of text in the locale that an environment names.
package enum LocaleEncoding {
  /// Whether it is UTF-8; the C and POSIX locale, the default without a variable, uses ASCII.
  ///
  /// It reads the variables of locale(7) without setlocale(3), so that a locale need not be installed.
  package static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    guard let locale = names.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else {
      return false
    }
    let withoutModifier = locale.prefix { $0 != "@" }
    // macOS has LC_CTYPE=UTF-8.
    let encoding = withoutModifier.split(separator: ".", maxSplits: 1).last ?? ""
    return encoding.lowercased().filter { $0 != "-" } == "utf8"
  }
}
