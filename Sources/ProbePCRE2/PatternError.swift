internal import CProbePCRE2

/// A pattern that cannot be compiled: what is wrong and where.
package struct PatternError: Error, Hashable, Sendable {
  /// What kind of mistake it is; the set is open.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// PCRE2's number of the error.
    package let rawValue: Int32

    /// A code from PCRE2's number.
    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }

  /// What kind of mistake it is.
  package let code: Code
  /// What is wrong, one line, lower-case start, no final stop.
  package let message: String
  /// Where the problem was met, in UTF-8 bytes from the start of the pattern.
  package let offset: Int

  init(_ code: Code, _ message: String, offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// An error as the library reports it, with the library's words for it.
  init(library code: Int32, offset: Int) {
    // The longest message of the library has less than 128 characters.
    let message = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let length = unsafe pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      guard length >= 0 else { return "error \(code) of the pattern library" }
      return unsafe String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
    }
    self.init(Code(rawValue: code), message, offset: offset)
  }
}

extension PatternError.Code {
  /// The pattern is longer than ``Pattern/maximumLength``.
  package static let tooLong = Self(rawValue: PCRE2_ERROR_PATTERN_STRING_TOO_LONG)
  /// What it stands for is too much to be compiled.
  package static let tooLarge = Self(rawValue: PCRE2_ERROR_PATTERN_TOO_LARGE)
  /// A backslash stands at the end.
  package static let endsInBackslash = Self(rawValue: PCRE2_ERROR_END_BACKSLASH)
  /// A backslash stands before a letter that has no meaning with it.
  package static let unknownEscape = Self(rawValue: PCRE2_ERROR_UNKNOWN_ESCAPE)
  /// A character class is not closed.
  package static let missingBracket = Self(rawValue: PCRE2_ERROR_MISSING_SQUARE_BRACKET)
  /// A range of a character class runs backwards.
  package static let rangeOutOfOrder = Self(rawValue: PCRE2_ERROR_CLASS_RANGE_ORDER)
  /// There is nothing that a quantifier could repeat.
  package static let nothingToRepeat = Self(rawValue: PCRE2_ERROR_QUANTIFIER_INVALID)
  /// A group is not closed.
  package static let missingParenthesis = Self(rawValue: PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS)
  /// A group is closed that was not opened.
  package static let extraParenthesis = Self(rawValue: PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS)
  /// A lookbehind's length is not fixed.
  package static let lookbehindLength = Self(rawValue: PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH)
}

extension PatternError: CustomStringConvertible {
  /// Message and place on one line.
  package var description: String { "\(message) at byte \(offset)" }
}
