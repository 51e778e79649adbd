internal import ProbeCore

/// Follows a text byte by byte, and determines whether it is in a URL, and in which part.
struct URLRun {
  private enum State {
    case none
    case slashes(Int)
    case path
    case query
  }

  private var state = State.none
  /// Whether a URL is expected, relative or absolute, as in an attribute for one.
  private var isURL = false
  /// Whether nothing has followed the last delimiter.
  private var isStart = true
  private var last: UInt8 = 0

  /// Starts a text that is a URL as a whole.
  mutating func startURL() {
    (state, isURL, isStart) = (.none, true, true)
  }

  /// Starts a text that may have URLs in it.
  mutating func start() {
    (state, isURL, isStart) = (.none, false, true)
  }

  /// The part of a URL that the next byte belongs to, or nil outside of URLs.
  var part: TemplatePosition.URLPart? {
    switch state {
    case .query: .query
    case .path: .path
    case .none, .slashes: isURL ? (isStart ? .start : .relative) : nil
    }
  }

  mutating func read(_ byte: UInt8) {
    defer { last = byte }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "<"), UInt8(ascii: ">"):
      if !isURL { start() }
    case UInt8(ascii: "?"), UInt8(ascii: "#"):
      if isURL || part != nil { state = .query }
      isStart = false
    case UInt8(ascii: ":"):
      if case .none = state { state = .slashes(0) }
      isStart = false
    case UInt8(ascii: "/"):
      if case .slashes(let count) = state { state = count == 1 ? .path : .slashes(1) }
      isStart = false
    default:
      if case .slashes = state { state = .none }
      isStart = false
    }
  }

  /// Notes a variable in the text.
  mutating func read(_ variable: TemplateVariable) {
    if isStart, variable == .requestURL || variable == .sessionURL { state = .path }
    isStart = false
  }
}
