extension Validation {
  /// Why a response was rejected.
  ///
  /// Most rejections are counted and never shown, and formatting one takes as long as searching a page. So
  /// its parts are stored unformatted, in one allocation, and are formatted as printable text when they are
  /// read.
  public struct Rejection: Sendable {
    private var parts: Parts

    /// Creates a rejection.
    public init(_ reason: ReasonCode, expected: String, found: String, offset: Int? = nil) {
      parts = Parts(reason, expected, .words(found), offset)
    }

    /// A rejection that quotes the first of the bytes found.
    public init(_ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil) {
      parts = Parts(reason, expected, .bytes(FoundBytes(foundBytes.span)), offset)
    }

    init(_ reason: ReasonCode, expected: String, found: FoundBytes) {
      parts = Parts(reason, expected, .bytes(found), nil)
    }

    /// A rejection because the body was cut before the expected content could appear.
    init(expected: String, cutAt count: Int) {
      parts = Parts(.bodyTooLarge, expected, .cut(count), nil)
    }
  }
}

extension Validation.Rejection {
  /// The reason, as a stable code.
  public var reason: ReasonCode {
    get { parts.reason }
    set { parts = Parts(newValue, parts.expected, parts.found, parts.offset) }
  }

  /// What was expected, such as `a body that contains "Success"`; safe to print.
  public var expected: String {
    get { parts.expected.escapedForDisplay }
    set { parts = Parts(parts.reason, newValue, parts.found, parts.offset) }
  }

  /// What was found instead; safe to print.
  public var found: String {
    get { parts.found.words }
    set { parts = Parts(parts.reason, parts.expected, .words(newValue), parts.offset) }
  }

  /// The position in the body, in bytes from its start.
  ///
  /// Nil if no position is more specific than the whole body, or if the body was converted from a legacy
  /// charset, because a position in the converted text is not one in the body.
  public var offset: Int? {
    get { parts.offset }
    set { parts = Parts(parts.reason, parts.expected, parts.found, newValue) }
  }
}

extension Validation.Rejection: Hashable {
  /// Two rejections are equal if their contents are.
  public static func == (left: Self, right: Self) -> Bool {
    left.reason == right.reason && left.expected == right.expected && left.offset == right.offset
      && left.found == right.found
  }

  /// Hashes the contents.
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
    let position = offset.map { " at byte \($0)" } ?? ""
    return "expected \(expected), found \(found)\(position)"
  }
}

/// The parts of a rejection; immutable, so a change creates new ones.
private final class Parts: Sendable {
  let reason: ReasonCode
  let expected: String
  let found: Finding
  let offset: Int?

  init(_ reason: ReasonCode, _ expected: String, _ found: Finding, _ offset: Int?) {
    self.reason = reason
    self.expected = expected
    self.found = found
    self.offset = offset
  }
}

/// What was found, unformatted.
private enum Finding: Sendable {
  case words(String)
  case bytes(FoundBytes)
  case cut(Int)

  var words: String {
    switch self {
    case .words(let words): words.escapedForDisplay
    case .bytes(let bytes): bytes.words
    case .cut(let count):
      "none in the part received: the body was cut at \(count) bytes; raise maxBody"
    }
  }
}
