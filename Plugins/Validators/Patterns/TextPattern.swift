package import ProbeCore
package import ProbePatterns

/// A compiled pattern from a pipeline file, shared by the validators that use patterns.
package struct TextPattern: Sendable {
  /// The result of a search.
  package enum Found {
    case match(captures: [String: String])
    case noMatch
    case limit
  }

  private let source: String
  private let pattern: Pattern

  package init(_ options: MatchesValidator.Options) throws(InvalidInput) {
    source = options.pattern
    let known = try PatternOptions(named: options.options)
    do {
      pattern = try Pattern(options.pattern, options: known)
    } catch {
      throw InvalidInput(error).at("pattern")
    }
  }

  /// Creates a pattern that matches text equal to the given text, ignoring case.
  package init(equalInAnyCaseTo text: String) throws(InvalidInput) {
    source = text
    do {
      pattern = try Pattern(text, options: [.literal, .caseless, .anchored, .endAnchored])
    } catch {
      throw InvalidInput("the text cannot be compared without case", remedy: error.message)
    }
  }

  /// The approximate size in bytes, including as much again for the cost of compiling it.
  package var compiledSize: Int { pattern.compiledSize }

  /// Searches the bytes; captures are the text matched by the named groups that took part in the match.
  ///
  /// The cancellation of the task ends the search, as if its limit were reached.
  package func search(_ bytes: Span<UInt8>) -> Found {
    var budget = WorkBudget(bytes: bytes.count, isCancellable: true)
    return search(bytes, &budget)
  }

  /// Searches texts one after another, with one limit for all of them: that for their total length.
  package func search(each texts: [String]) -> Searches {
    let budget = WorkBudget(bytes: texts.reduce(0) { $0 + $1.utf8.count }, isCancellable: true)
    return Searches(pattern: self, budget: budget, texts: texts[...])
  }

  /// The results of searching texts one after another.
  package struct Searches: Sequence, IteratorProtocol {
    fileprivate let pattern: TextPattern
    fileprivate var budget: WorkBudget
    fileprivate var texts: ArraySlice<String>

    /// Searches the next text.
    package mutating func next() -> Found? {
      texts.popFirst().map { pattern.search(Array($0.utf8).span, &budget) }
    }
  }

  private func search(_ bytes: Span<UInt8>, _ budget: inout WorkBudget) -> Found {
    switch pattern.firstMatch(in: bytes, namedGroups: true, &budget) {
    case .match(let match) where match.groups.isEmpty: .match(captures: [:])
    case .match(let match):
      .match(captures: match.groups.mapValues { range in String(wireBytes: range.map { bytes[$0] }) })
    case .noMatch: .noMatch
    case .limit: .limit
    }
  }
}

extension TextPattern: CustomStringConvertible {
  /// The start of the pattern, quoted.
  package var description: String { "\(Excerpt(source))" }
}

extension PatternOptions {
  private static let byName: [(name: String, option: PatternOptions)] = [
    ("anchored", .anchored), ("caseless", .caseless), ("dotall", .dotall), ("extended", .extended),
    ("multiline", .multiline),
  ]

  static var names: [String] { byName.map(\.name) }

  init(named options: [MatchesValidator.Option]) throws(InvalidInput) {
    let known = try options.mapItems(at: "options") { option throws(InvalidInput) in
      if let known = Self.byName.first(where: { $0.name == option.rawValue }) { return known.option }
      let nearest = nearestName(to: option.rawValue, among: Self.names)
      let guess = nearest.map { "did you mean \($0)? " } ?? ""
      throw InvalidInput(
        "unknown option \(Excerpt(option.rawValue))",
        remedy: "\(guess)The options are \(Self.names.joined(separator: ", "))")
    }
    self.init(known)
  }
}

extension InvalidInput {
  init(_ error: PatternError) {
    let remedy: String? =
      switch error.code {
      case .missingParenthesis: #"close the group with ), or write \( for the character itself"#
      case .extraParenthesis: #"remove it, or write \) for the character itself"#
      case .missingBracket: #"close the class with ], or write \[ for the character itself"#
      case .nothingToRepeat: #"put something before it, or a backslash for the character itself"#
      case .endsInBackslash: #"write \\ for the character itself"#
      case .unknownEscape: "remove the backslash"
      case .rangeOutOfOrder: #"swap its ends, or write \- for the character itself"#
      case .lookbehindLength: "give each alternative in it a fixed length"
      default: nil
      }
    self.init("pattern: \(error.message)", remedy: remedy, offset: error.offset)
  }
}

extension Pattern {
  /// Compiles a pattern from a pipeline file for searching streams.
  ///
  /// - Throws: ``InvalidInput`` for an invalid pattern, with the position of the error, or an unknown option.
  package convenience init(streaming options: MatchesValidator.Options) throws(InvalidInput) {
    let known = try PatternOptions(named: options.options)
    do {
      try self.init(options.pattern, options: known.union(.streaming))
    } catch {
      throw InvalidInput(error).at("pattern")
    }
  }
}

/// The name of a capture, with the syntax of group names in patterns.
package enum CaptureName {
  /// Checks the value of the key `capture`.
  ///
  /// - Throws: ``InvalidInput`` if it is not valid.
  package static func check(_ name: String) throws(InvalidInput) {
    let bytes = Array(name.utf8)
    let isName =
      bytes.count <= 32 && bytes.first.map { !$0.isASCIIDigit } == true
      && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    guard isName else {
      throw InvalidInput(
        "\(Excerpt(name)) cannot name a capture",
        remedy: "use at most 32 letters, digits and underscores, not a digit first"
      ).at("capture")
    }
  }
}

extension ValueSchema {
  static var captureName: ValueSchema {
    .text(pattern: "^[A-Za-z_][A-Za-z0-9_]{0,31}$", canBeNumber: false, examples: ["token"])
  }
}
