internal import ProbeCore

/// How words that end up in reports have to look, whoever made them.
enum WordForm {
  /// The longest line that belongs in a report, in bytes of UTF-8.
  static let longest = 4096

  /// What is wrong with a reason code, or nil.
  ///
  /// `area.word`, or one of ProbeKit's own: it is a metric label and the subject of globs such as `tls.*`.
  static func mistake(in reason: ReasonCode) -> String? {
    if reason.meaning != nil { return nil }
    let words = reason.rawValue.split(separator: ".", omittingEmptySubsequences: false)
    let isWellFormed =
      words.count >= 2 && reason.rawValue.utf8.count <= 64
      && words.allSatisfy { word in
        word.utf8.first.map { $0.isASCIILowercase } == true
          && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      }
    return isWellFormed ? nil : "the reason code \(Excerpt(reason.rawValue))"
  }

  /// What is wrong with a line of words: nothing in it, or too much to be one.
  static func mistakeOfLength(in words: String, called name: String) -> String? {
    if words.allSatisfy(\.isWhitespace) { return "\(name) is empty" }
    let count = words.utf8.count
    return count <= longest ? nil : "\(name) has \(count) bytes, more than \(longest)"
  }

  /// What would act on a terminal, or make more than one line.
  static func mistakeOfPrinting(in words: String, called name: String) -> String? {
    guard let scalar = words.unicodeScalars.first(where: \.mustBeEscapedForDisplay) else { return nil }
    return "\(name) has an unescaped U+\(String(scalar.value, radix: 16, uppercase: true))"
  }
}
