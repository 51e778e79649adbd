package import ProbeBase

/// Options of common kinds, which check their values and store them.
extension OptionSpec {
  /// An option with a value.
  package static func option(
    _ name: String, short: String? = nil, value: String, takes kind: ValueKind = .text, help: String,
    default: String? = nil, repeats: Bool = false, takesRest: Bool = false, isHidden: Bool = false,
    pointsAtMistakes: Bool = false, _ apply: @escaping @Sendable (inout Options, String) throws -> Void
  ) -> OptionSpec {
    let form = OptionForm(
      name: name, short: short, value: value, kind: kind, help: help, defaultValue: `default`,
      repeats: repeats, takesRest: takesRest, isHidden: isHidden, pointsAtMistakes: pointsAtMistakes)
    return OptionSpec(form: form, apply: apply)
  }

  /// An option without a value; repeating it changes nothing.
  package static func flag(
    _ name: String, short: String? = nil, help: String, _ apply: @escaping @Sendable (inout Options) -> Void
  ) -> OptionSpec {
    OptionSpec(name: name, short: short, help: help, repeats: true) { options, _ in apply(&options) }
  }

  /// An option without a value that sets a property.
  package static func flag(
    _ name: String, _ property: any WritableKeyPath<Options, Bool> & Sendable, short: String? = nil,
    to value: Bool = true, help: String
  ) -> OptionSpec {
    .flag(name, short: short, help: help) { $0[keyPath: property] = value }
  }

  /// The path of a file, or of a folder.
  package static func path(
    _ name: String, _ property: any WritableKeyPath<Options, String?> & Sendable, short: String? = nil,
    value: String = "FILE", takes kind: ValueKind = .file, help: String, default: String? = nil
  ) -> OptionSpec {
    .option(name, short: short, value: value, takes: kind, help: help, default: `default`) {
      $0[keyPath: property] = try kind.path($1)
    }
  }

  /// A whole number, whose default value is that of the default options.
  package static func number(
    _ name: String, _ property: any WritableKeyPath<Options, Int> & Sendable, in range: ClosedRange<Int>,
    help: String
  ) -> OptionSpec {
    .option(name, value: "N", help: help) { $0[keyPath: property] = try wholeNumber($1, in: range) }
      .showing { "\($0[keyPath: property])" }
  }

  /// A whole number that can be omitted.
  package static func number(
    _ name: String, _ property: any WritableKeyPath<Options, Int?> & Sendable, in range: ClosedRange<Int>,
    help: String, default: String
  ) -> OptionSpec {
    .option(name, value: "N", help: help, default: `default`) {
      $0[keyPath: property] = try wholeNumber($1, in: range)
    }
  }

  /// One of several words.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - words: The words.
  ///   - value: The placeholder in the help; nil for the words themselves.
  ///   - what: What the words are, such as `a format`, for the error.
  ///   - help: The help.
  ///   - default: The default value, for the help.
  ///   - apply: Stores the word.
  /// - Returns: The option.
  package static func choice(
    _ name: String, of words: [String], value: String? = nil, called what: String, help: String,
    default: String? = nil, _ apply: @escaping @Sendable (inout Options, String) -> Void
  ) -> OptionSpec {
    .option(
      name, value: value ?? words.joined(separator: "|"), takes: .oneOf(words), help: help,
      default: `default`
    ) {
      guard words.contains($1) else {
        throw InvalidInput("\(Excerpt($1)) is not \(what)", word: $1, among: words)
      }
      apply(&$0, $1)
    }
  }
}

extension PositionalSpec {
  /// One of several words.
  ///
  /// - Parameters:
  ///   - name: The placeholder in the help.
  ///   - count: The permitted number of values.
  ///   - words: The words.
  ///   - message: The error for any other word.
  ///   - help: The help.
  ///   - apply: Stores the word.
  /// - Returns: The argument.
  package static func word(
    _ name: String, _ count: Count, of words: [String], else message: String, help: String,
    _ apply: @escaping @Sendable (inout Options, String) -> Void
  ) -> PositionalSpec {
    PositionalSpec(name, count, takes: .oneOf(words), help: help) {
      guard words.contains($1) else { throw InvalidInput(message, word: $1, among: words) }
      apply(&$0, $1)
    }
  }
}

extension ValueKind {
  /// Checks a path, which cannot be empty; the error says what to name.
  package func path(_ text: String, of named: String? = nil) throws(InvalidInput) -> String {
    guard !text.isEmpty else {
      let named = named ?? (self == .folder ? "a folder" : "a file")
      throw InvalidInput("the path is empty", remedy: "name \(named)")
    }
    return text
  }
}

/// A whole number within bounds.
package func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(InvalidInput) -> Int {
  guard let number = Int(text: text, in: range) else {
    throw InvalidInput(
      "\(Excerpt(text)) cannot be used",
      remedy: "give a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
  return number
}

extension InvalidInput {
  /// The error of a word that is none of these, with the one that is probably meant.
  package init(_ message: String, word: String, among words: [String]) {
    let nearest = nearestName(to: word, among: words).map { "did you mean \($0)?" }
    self.init(message, remedy: nearest ?? "use \(words.alternatives)")
  }
}

extension [InvalidInput] {
  /// An error if a condition holds, such as one about a combination of options; otherwise nothing.
  package static func when(_ isWrong: Bool, _ message: String, remedy: String? = nil) -> [InvalidInput] {
    isWrong ? [InvalidInput(message, remedy: remedy)] : []
  }
}
