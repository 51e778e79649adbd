internal import ProbePatterns
internal import Validators
internal import ProbeCore

/// The compiled data that a step searches for.
struct SoughtBytes: Sendable {
  enum Form: Sendable {
    case literal(LiteralSearch)
    case pattern(Pattern)
  }

  let form: Form
  /// Its description in messages.
  let words: String

  /// The maximum length of a literal, in bytes.
  static let maximumLength = 64 * 1024

  /// - Throws: ``InvalidInput`` if there is nothing to search for, or if a text or a pattern is invalid.
  init(_ sought: Dialog.Sought) throws(InvalidInput) {
    switch sought.kind {
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

extension SoughtBytes {
  /// Reuses what was already compiled for equal data in the same file.
  init(_ sought: Dialog.Sought, _ parts: CompiledParts?) throws(InvalidInput) {
    guard let parts else {
      try self.init(sought)
      return
    }
    do {
      self = try parts.part(for: sought) { try SoughtBytes(sought) }
    } catch let error as InvalidInput {
      throw error
    } catch {
      throw InvalidInput("\(error)")
    }
  }
}

extension SoughtBytes: Compiled {
  /// The approximate size of its pattern in bytes.
  var compiledSize: Int {
    if case .pattern(let pattern) = form { pattern.compiledSize } else { 0 }
  }
}
