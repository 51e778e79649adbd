import ProbeBase

/// The result of a validator: accepted, or rejected with a reason.
public struct Validation: Hashable, Sendable {
  /// The reason for a rejection, or nil if the response was accepted.
  public var rejection: Rejection?
  /// The text matched by named groups of patterns, by name; set on acceptance.
  public var captures: [String: String]

  /// The response is as expected.
  public static let accepted = Validation(rejection: nil, captures: [:])

  /// The response is as expected, and named groups of patterns matched this text.
  public static func accepted(captures: [String: String]) -> Validation {
    Validation(rejection: nil, captures: captures)
  }

  /// The response is not as expected.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a stable code.
  ///   - expected: What was expected.
  ///   - found: What was found instead.
  ///   - offset: The position in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode = .rejected, expected: String, found: String, offset: Int? = nil
  ) -> Validation {
    Validation(rejection: Rejection(reason, expected: expected, found: found, offset: offset), captures: [:])
  }

  /// The response is not as expected; the start of what was found is quoted.
  ///
  /// - Parameters:
  ///   - reason: The reason, as a stable code.
  ///   - expected: What was expected.
  ///   - foundBytes: The bytes that were found instead.
  ///   - offset: The position in the body, in bytes from its start.
  /// - Returns: The rejection.
  public static func rejected(
    _ reason: ReasonCode, expected: String, foundBytes: ArraySlice<UInt8>, offset: Int? = nil
  ) -> Validation {
    let rejection = Rejection(reason, expected: expected, foundBytes: foundBytes, offset: offset)
    return Validation(rejection: rejection, captures: [:])
  }

  init(_ rejection: Rejection) {
    self.init(rejection: rejection, captures: [:])
  }

  private init(rejection: Rejection?, captures: [String: String]) {
    self.rejection = rejection
    self.captures = captures
  }

  /// Whether the response was accepted.
  public var isAccepted: Bool { rejection == nil }
}

extension Validation {
  /// Rejects a response because its body is not as expected.
  ///
  /// If the body was cut, the reason is `body.tooLarge` instead of `body.mismatch`, because the expected
  /// content may be in the part that was not received.
  ///
  /// - Parameters:
  ///   - response: The response whose body was judged.
  ///   - expected: What was expected, such as `a body that contains "Success"`.
  /// - Returns: The rejection.
  public static func rejectedBody(of response: ProbeResponse, expected: String) -> Validation {
    rejectedBody(of: response, expected: expected, text: response.body.span)
  }

  /// Rejects a response because its body is not as expected, and quotes the start of its text.
  ///
  /// - Parameters:
  ///   - response: The response whose body was judged.
  ///   - expected: What was expected, such as `a body that contains "Success"`.
  ///   - text: The body as it was judged, for example converted from its charset.
  /// - Returns: The rejection.
  public static func rejectedBody(
    of response: ProbeResponse, expected: String, text: Span<UInt8>
  ) -> Validation {
    if response.bodyIsCut {
      return Validation(Rejection(expected: expected, cutAt: response.body.count))
    }
    if text.isEmpty { return .rejected(.bodyMismatch, expected: expected, found: "an empty body") }
    return Validation(Rejection(.bodyMismatch, expected: expected, found: FoundBytes(text)))
  }
}

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

/// The first bytes of some data, stored inline rather than in a separate allocation.
struct FoundBytes: Sendable {
  /// The maximum number of bytes to show in a message.
  private static let limit = 60

  private var storage: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )
  private let count: UInt8
  private let isCut: Bool

  init(_ bytes: Span<UInt8>) {
    let shown = min(bytes.count, Self.limit)
    count = UInt8(truncatingIfNeeded: shown)
    isCut = bytes.count > shown
    unsafe withUnsafeMutableBytes(of: &storage) { storage in
      unsafe bytes.extracting(first: shown).bytes.withUnsafeBytes { bytes in
        unsafe storage.copyMemory(from: bytes)
      }
    }
  }

  /// The bytes, quoted for a message, with an ellipsis if they were cut.
  var words: String {
    unsafe withUnsafeBytes(of: storage) { storage in
      unsafe "\(Excerpt(shown: storage.prefix(Int(widening: count)), isCut: isCut))"
    }
  }
}
