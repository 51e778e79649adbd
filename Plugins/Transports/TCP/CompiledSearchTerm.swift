internal import ProbeCore
internal import ProbePatterns
internal import Validators

/// The compiled data that a step searches for.
struct CompiledSearchTerm: Sendable {
  enum Form: Sendable {
    case literal(LiteralSearch)
    case pattern(Pattern)
  }

  let form: Form
  /// Its description in messages.
  let words: String

  /// The maximum length of a literal, in bytes.
  static let maximumLength = 64 * 1024

  /// Compiles the term of a step: a literal where its bytes must be equal, a pattern otherwise.
  ///
  /// - Throws: ``InvalidInput`` if there is nothing to search for, or if a text or a pattern is invalid.
  init(_ term: Dialog.SearchTerm) throws(InvalidInput) {
    switch term.kind {
    case .text(let text, caseless: false):
      form = .literal(LiteralSearch(try Self.checked(Array(text.utf8))))
      words = "\(Excerpt(text))"
    case .text(let text, caseless: true):
      _ = try Self.checked(Array(text.utf8))
      do {
        form = .pattern(try Pattern(text, options: [.literal, .caseless, .streaming]))
      } catch {
        throw InvalidInput("the text cannot be compared without case: \(error.message)")
      }
      words = "\(Excerpt(text)) in any case"
    case .hex(let digits):
      let bytes = try Self.checked(try HexBytes.read(digits))
      form = .literal(LiteralSearch(bytes))
      words = "hex \(HexBytes.text(of: bytes))"
    case .matches(let options):
      form = .pattern(try Pattern(streaming: options))
      words = "pattern \(Excerpt(options.pattern))"
    }
  }

  private static func checked(_ bytes: [UInt8]) throws(InvalidInput) -> [UInt8] {
    guard !bytes.isEmpty else {
      throw InvalidInput("the searched data is empty", remedy: "give the expected data, or remove the step")
    }
    guard bytes.count <= maximumLength else {
      throw InvalidInput("\(bytes.count) bytes are too many: the limit is \(maximumLength)")
    }
    return bytes
  }

  /// The names of the pattern's groups.
  var groupNames: Set<String> {
    if case .pattern(let pattern) = form { pattern.groupNames } else { [] }
  }

  /// The minimum number of bytes of a match, as far as known.
  var leastBytes: Int {
    if case .literal(let search) = form { search.bytes.count } else { 0 }
  }

  /// Whether it can match empty data.
  var canBeNothing: Bool {
    if case .pattern(let pattern) = form { pattern.canMatchNothing } else { false }
  }
}

extension CompiledSearchTerm {
  /// Reuses what was already compiled for equal data in the same file.
  init(_ term: Dialog.SearchTerm, _ parts: CompiledParts?) throws(InvalidInput) {
    guard let parts else {
      try self.init(term)
      return
    }
    do {
      self = try parts.part(for: term) { try CompiledSearchTerm(term) }
    } catch let error as InvalidInput {
      throw error
    } catch {
      throw InvalidInput("\(error)")
    }
  }
}

extension CompiledSearchTerm: Compiled {
  /// The approximate size of its pattern in bytes.
  var compiledSize: Int {
    if case .pattern(let pattern) = form { pattern.compiledSize } else { 0 }
  }
}

/// A search for a literal in a stream that examines each byte only once (Knuth, Morris and Pratt).
struct LiteralSearch: Sendable {
  /// The literal; not empty.
  let bytes: [UInt8]
  /// For each length, the length of the longest proper prefix of the literal's prefix of that length that is
  /// also its suffix.
  private let fallback: [Int]
  /// The number of bytes of the literal that match the end of the data searched so far.
  private var matched = 0
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var fallback = [0, 0]
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0, bytes[length] != byte { length = fallback[length] }
      if bytes[length] == byte { length += 1 }
      fallback.append(length)
    }
    self.fallback = fallback
  }

  /// Searches the part of a stream that is new since the last call.
  ///
  /// - Parameter window: The stream from its beginning, with indices from 0.
  /// - Returns: The position of the first match, or the position from which one may still start.
  mutating func look(at window: ArraySlice<UInt8>) -> (start: Int, isFound: Bool) {
    while position < window.endIndex, matched < bytes.count {
      let byte = window[position]
      while matched > 0, bytes[matched] != byte { matched = fallback[matched] }
      if bytes[matched] == byte { matched += 1 }
      position += 1
    }
    return (position - matched, matched == bytes.count)
  }
}
