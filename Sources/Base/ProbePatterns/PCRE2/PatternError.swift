internal import CProbePCRE2

/// An error in a pattern, with its position.
package struct PatternError: Error, Hashable, Sendable {
  /// The kind of error; new versions may add codes.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// PCRE2's error number.
    package let rawValue: Int32

    /// A code with PCRE2's number.
    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }

  /// The kind of error.
  package let code: Code
  /// A description of the error: one line, starting in lower case, without a period.
  package let message: String
  /// The position of the error, in UTF-8 bytes from the start of the pattern.
  package let offset: Int

  init(_ code: Code, _ message: String, offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// An error from the library, with the library's message.
  init(library code: Int32, offset: Int) {
    // The maximum length of the library's messages is less than 128 characters.
    let message = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let length = unsafe pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      guard length >= 0 else { return "error \(code) of the pattern library" }
      return unsafe String(decoding: buffer.prefix(Int(clamping: length)), as: UTF8.self)
    }
    self.init(Code(rawValue: code), message, offset: offset)
  }
}

extension PatternError.Code {
  /// The pattern is longer than ``Pattern/maximumLength``.
  package static let tooLong = Self(rawValue: PCRE2_ERROR_PATTERN_STRING_TOO_LONG)
  /// The pattern expands to more than can be compiled.
  package static let tooLarge = Self(rawValue: PCRE2_ERROR_PATTERN_TOO_LARGE)
  /// The pattern ends with a backslash.
  package static let endsInBackslash = Self(rawValue: PCRE2_ERROR_END_BACKSLASH)
  /// A backslash precedes a letter that is not a known escape.
  package static let unknownEscape = Self(rawValue: PCRE2_ERROR_UNKNOWN_ESCAPE)
  /// A character class is not closed.
  package static let missingBracket = Self(rawValue: PCRE2_ERROR_MISSING_SQUARE_BRACKET)
  /// A range of a character class runs backwards.
  package static let rangeOutOfOrder = Self(rawValue: PCRE2_ERROR_CLASS_RANGE_ORDER)
  /// A quantifier has nothing to repeat.
  package static let nothingToRepeat = Self(rawValue: PCRE2_ERROR_QUANTIFIER_INVALID)
  /// A group is not closed.
  package static let missingParenthesis = Self(rawValue: PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS)
  /// There is a closing parenthesis without an opening one.
  package static let extraParenthesis = Self(rawValue: PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS)
  /// A lookbehind's length is not fixed.
  package static let lookbehindLength = Self(rawValue: PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH)
}

extension PatternError: CustomStringConvertible {
  /// Message and position on one line.
  package var description: String { "\(message) at byte \(offset)" }
}
