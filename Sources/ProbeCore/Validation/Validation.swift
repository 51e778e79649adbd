/// What a validator says of a response: accepted, or rejected and why.
public struct Validation: Hashable, Sendable {
  /// Why a response was rejected.
  public struct Rejection: Sendable {
    /// Why, as a stable word.
    public var reason: ReasonCode
    /// What was expected, in words, such as `a body that contains "Success"`.
    public var expected: String
    /// Where in the body it was found, in bytes from its start, or nil when no place says more than the whole.
    public var offset: Int?
    private var finding: Finding

    /// What was found instead, in words; safe to print.
    public var found: String {
      get { finding.words }
      set { finding = .words(newValue) }
    }

    /// A rejection.
    public init(_ reason: ReasonCode, expected: String, found: String, offset: Int? = nil) {
      self.reason = reason
      self.expected = expected.escapedForDisplay
      self.offset = offset
      finding = .words(found.escapedForDisplay)
    }

    /// A rejection for bytes found, of which the start is quoted.
    public init(_ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil) {
      self.reason = reason
      self.expected = expected.escapedForDisplay
      self.offset = offset
      finding = .bytes(Array(foundBytes.prefix(60)), isCut: foundBytes.count > 60)
    }
  }

  /// Why it was rejected, or nil when it was accepted.
  public var rejection: Rejection?
  /// What the named groups of patterns matched, by name; filled on acceptance.
  public var captures: [String: String]

  /// The response is what was expected.
  public static let accepted = Validation(rejection: nil, captures: [:])

  /// The response is what was expected, and patterns matched these named groups.
  public static func accepted(captures: [String: String]) -> Validation {
    Validation(rejection: nil, captures: captures)
  }

  /// The response is not what was expected.
  ///
  /// - Parameters:
  ///   - reason: Why, as a stable word.
  ///   - expected: What was expected, in words.
  ///   - found: What was found instead, in words.
  ///   - offset: Where in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode = .rejected, expected: String, found: String, offset: Int? = nil
  ) -> Validation {
    Validation(rejection: Rejection(reason, expected: expected, found: found, offset: offset), captures: [:])
  }

  /// The response is not what was expected; the start of what was found is quoted.
  ///
  /// - Parameters:
  ///   - reason: Why, as a stable word.
  ///   - expected: What was expected, in words.
  ///   - foundBytes: What was found instead.
  ///   - offset: Where in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil
  ) -> Validation {
    let rejection = Rejection(reason, expected: expected, foundBytes: foundBytes, offset: offset)
    return Validation(rejection: rejection, captures: [:])
  }

  private init(rejection: Rejection?, captures: [String: String]) {
    self.rejection = rejection
    self.captures = captures
  }

  /// Whether the response was accepted.
  public var isAccepted: Bool { rejection == nil }
}

extension Validation.Rejection: Hashable {
  /// Two rejections are equal when they say the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.expected == right.expected && left.offset == right.offset
      && left.found == right.found
  }

  /// Hashes what it says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(reason)
    hasher.combine(expected)
    hasher.combine(offset)
    hasher.combine(found)
  }
}

extension Validation.Rejection: CustomStringConvertible {
  /// The rejection as one sentence.
  public var description: String {
    let place = offset.map { " at byte \($0)" } ?? ""
    return "expected \(expected), found \(found)\(place)"
  }
}

/// What was found, put into words only when somebody reads them: most rejections are counted and never shown, and
/// wording one takes as long as searching a page.
private enum Finding: Sendable {
  case words(String)
  case bytes([UInt8], isCut: Bool)

  var words: String {
    switch self {
    case .words(let words): words
    case .bytes(let bytes, let isCut): "\(Excerpt(shown: bytes, isCut: isCut))"
    }
  }
}
