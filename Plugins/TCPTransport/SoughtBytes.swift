internal import ProbePCRE2
internal import PCRE2Validator
internal import ProbeCore

/// What a step looks for, ready to be searched for.
struct SoughtBytes: Sendable {
  enum Form: Sendable {
    case literal(LiteralSearch)
    case pattern(Pattern)
  }

  let form: Form
  /// How a message names it.
  let words: String

  /// How long a literal may be, in bytes.
  static let maximumLength = 64 * 1024

  /// - Throws: ``InvalidInput`` for nothing to look for, and for a text or a pattern with a mistake in it.
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
      throw InvalidInput("\(bytes.count) bytes are too long, the limit is \(maximumLength)")
    }
    return bytes
  }

  /// The names of its groups.
  var groupNames: Set<String> {
    if case .pattern(let pattern) = form { pattern.groupNames } else { [] }
  }

  /// The fewest bytes in which it can be found, as far as that is known.
  var leastBytes: Int {
    if case .literal(let search) = form { search.bytes.count } else { 0 }
  }

  /// Whether it may be found where nothing has come.
  var canBeNothing: Bool {
    if case .pattern(let pattern) = form { pattern.canMatchNothing } else { false }
  }
}

extension SoughtBytes {
  /// What was sought before in the same file is compiled already.
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
  /// About how many bytes its pattern takes.
  var compiledSize: Int {
    if case .pattern(let pattern) = form { pattern.compiledSize } else { 0 }
  }
}
