internal import ProbeCore

extension ConformanceReport {
  /// Checks that a validation result can be printed in a report.
  mutating func checkForm(of validation: Validation, on input: NamedResponse) {
    check(.validatorCaptures)
    guard let rejection = validation.rejection else { return checkCaptures(validation.captures, on: input) }
    if !validation.captures.isEmpty {
      violate(.validatorCaptures, "a rejection has \(validation.captures.count) captures", on: input.name)
    }
    for rule in [ConformanceRule.validatorReason, .validatorWords, .validatorOffset] { check(rule) }
    if let mistake = WordForm.mistake(in: rejection.reason) {
      violate(.validatorReason, mistake, on: input.name)
    }
    for (name, words) in [("expected", rejection.expected), ("found", rejection.found)] {
      if let mistake = WordForm.mistakeOfLength(in: words, called: name) {
        violate(.validatorWords, mistake, on: input.name)
      }
    }
    if let offset = rejection.offset, !(0...input.response.body.count).contains(offset) {
      let count = input.response.body.count
      violate(.validatorOffset, "the offset \(offset) in a body of \(count) bytes", on: input.name)
    }
  }

  private mutating func checkCaptures(_ captures: [String: String], on input: NamedResponse) {
    if captures.keys.contains("") {
      violate(.validatorCaptures, "a capture without a name", on: input.name)
    }
    // In a charset other than UTF-8, each received byte may become a character of up to four bytes.
    let bound = 4 * input.response.receivedBytes + 1024
    if let large = captures.first(where: { $0.value.utf8.count > bound }) {
      let count = large.value.utf8.count
      violate(.validatorCaptures, "the capture \(Excerpt(large.key)) has \(count) bytes", on: input.name)
    }
    if captures.count > 1000 {
      violate(.validatorCaptures, "\(captures.count) captures", on: input.name)
    }
  }
}

extension ProbeResponse {
  fileprivate var receivedBytes: Int {
    let fields = head?.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0
    return body.count + fields
  }
}

/// The required form of texts in reports, whatever their source.
enum WordForm {
  /// The maximum length of a line in a report, in bytes of UTF-8.
  static let maximumLength = 4096

  /// The error in a reason code, or nil.
  ///
  /// It must be `area.word`, or one of ProbeKit's own: it is a metric label, and is matched by globs such as
  /// `tls.*`.
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

  /// The error in the length of a text, which is empty or too long; nil if there is none.
  static func mistakeOfLength(in words: String, called name: String) -> String? {
    if words.allSatisfy(\.isWhitespace) { return "\(name) is empty" }
    let count = words.utf8.count
    return count <= maximumLength ? nil : "\(name) has \(count) bytes, more than \(maximumLength)"
  }

  /// The error in printing a text, which has terminal controls or several lines; nil if there is none.
  static func mistakeOfPrinting(in words: String, called name: String) -> String? {
    guard let scalar = words.unicodeScalars.first(where: \.mustBeEscapedForDisplay) else { return nil }
    return "\(name) has an unescaped U+\(String(scalar.value, radix: 16, uppercase: true))"
  }
}
