internal import ProbeCore
internal import ProbeJSON

/// A JSON Pointer (RFC 6901): the path from a document to a value in it.
struct JSONPointer: Hashable, Sendable {
  /// The pointer as written.
  let text: String
  /// The names and indexes on the path, unescaped.
  private let tokens: [String]

  /// Parses a pointer; an empty one refers to the whole document.
  ///
  /// - Throws: `InvalidInput` if the text does not start with a slash, or has a `~` without 0 or 1 after it.
  init(_ text: String) throws(InvalidInput) {
    self.text = text
    guard !text.isEmpty else {
      tokens = []
      return
    }
    // Compare code points: otherwise, an accent after a slash would hide it.
    guard text.unicodeScalars.first == "/" else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a JSON Pointer",
        remedy: "write it as \(Self.guess(from: text)), with a slash before each name or index")
    }
    var tokens: [String] = []
    for part in text.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      tokens.append(try Self.unescaped(part, in: text))
    }
    self.tokens = tokens
  }

  /// The pointer that probably corresponds to a path in another notation, such as `$.checks.db[0]`.
  private static func guess(from text: String) -> String {
    let names = text.split { "./[]$'\"".contains($0) }
    return names.isEmpty ? "/status" : names.map { "/\($0)" }.joined().escapedForDisplay
  }

  private static func unescaped(
    _ part: Substring.UnicodeScalarView, in text: String
  ) throws(InvalidInput) -> String {
    var token = String.UnicodeScalarView()
    var rest = part
    while let scalar = rest.popFirst() {
      guard scalar == "~" else {
        token.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "0": token.append("~")
      case "1": token.append("/")
      default:
        throw InvalidInput(
          "\(Excerpt(text)) has a ~ without 0 or 1 after it", remedy: "write ~0 for ~, and ~1 for / in a name"
        )
      }
    }
    return String(token)
  }

  /// The value at the pointer in a document, or the reason why there is none.
  func find(in document: JSONValue) -> Result<JSONValue, Missing> {
    var value = document
    for (depth, token) in tokens.enumerated() {
      let next: JSONValue?
      switch value {
      case .object: next = value[token]
      case .array(let elements): next = Self.index(token).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: next = nil
      }
      guard let next else { return .failure(Missing(path: tokens.prefix(depth), token: token, in: value)) }
      value = next
    }
    return .success(value)
  }

  /// The array index in a token: digits without leading zeros (RFC 6901 §4).
  private static func index(_ token: String) -> Int? {
    guard token.utf8.allSatisfy(\.isASCIIDigit), token == "0" || !token.hasPrefix("0") else { return nil }
    return Int(text: token)
  }
}

extension JSONPointer {
  /// The reason why a document has no value at a pointer.
  struct Missing: Error {
    /// The reason, such as `no member "db" in the object at /checks`.
    let words: String

    fileprivate init(path: some Sequence<String>, token: String, in value: JSONValue) {
      let path = path.map { "/\($0)" }.joined()
      let location = path.isEmpty ? "the document" : "the value at \(path.escapedForDisplay)"
      switch value {
      case .object: words = "no member \(Excerpt(token)) in \(location)"
      case .array(let elements):
        words = "no element \(Excerpt(token)) in the \(elements.count) of \(location)"
      default: words = "\(value.kind) as \(location), which has no members"
      }
    }
  }
}
