/// The encoding of text in the locale that an environment names.
enum LocaleEncoding {
  /// Whether it is UTF-8; the locale of C and POSIX, which is that without a variable, has ASCII.
  ///
  /// The variables are those of locale(7), read and not given to setlocale(3): a locale that is not installed counts as well.
  static func isUTF8(_ environment: [String: String]) -> Bool {
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
