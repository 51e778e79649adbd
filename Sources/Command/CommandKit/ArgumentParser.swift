import ProbeBase

/// Parses the arguments of one command and collects all errors.
package struct ArgumentParser<Options: Sendable> {
  private typealias Option = OptionSpec<ParsedArguments<Options>>

  private let spec: CommandSpec<Options>
  private let program: String
  private let options: [Option]
  private var rest: ArraySlice<(position: Int, argument: RawArgument)>
  private var result: ParsedArguments<Options>
  private var seen: Set<String> = []
  private var positionals: [(position: Int, argument: RawArgument)] = []
  /// The positions of arguments that may be values of unknown options; errors in them are not reported.
  private var doubtful: Set<Int> = []

  /// Parses the arguments after the command's name; positions refer to the whole command line, and messages name the
  /// program.
  package static func parse(
    _ arguments: [(position: Int, argument: RawArgument)], for spec: CommandSpec<Options>,
    of program: String = ToolName.ownName
  ) -> ParsedArguments<Options> {
    var parser = ArgumentParser(spec, program, arguments)
    parser.parse()
    return parser.result
  }

  private init(
    _ spec: CommandSpec<Options>, _ program: String, _ arguments: [(position: Int, argument: RawArgument)]
  ) {
    self.spec = spec
    self.program = program
    options = spec.allOptions
    rest = arguments[...]
    result = ParsedArguments(options: spec.initial, format: spec.formats.first ?? .text)
  }

  private mutating func parse() {
    while let next = rest.popFirst() {
      let text = next.argument.text
      if text == "--" {
        positionals += rest
        rest = []
      } else if text.hasPrefix("--") {
        parseLong(next)
      } else if text.hasPrefix("-"), text != "-" {
        parseShort(next)
      } else {
        positionals.append(next)
      }
    }
    assignPositionals()
    result.mistakes += spec.check(result.options).map(\.description.escapedForDisplay)
    if !result.mistakes.isEmpty {
      result.mistakes += spec.checkRest(result.options).map(\.escapedForDisplay)
    }
  }

  private mutating func parseLong(_ next: (position: Int, argument: RawArgument)) {
    let text = next.argument.text
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = options.first(where: { $0.name == name || $0.aliases.contains(name) }) else {
      if reportInvalid(next) { unknown(name, hasValue: parts.count > 1) }
      return
    }
    guard parts.count > 1 else {
      take(option)
      return
    }
    guard option.value != nil else {
      result.mistakes.append("\(name): takes no value")
      return
    }
    note(option)
    guard reportInvalid(next) else { return }
    apply(option, String(parts[1]))
    if option.takesRest { takeRest(option) }
  }

  /// Parses one-letter options combined in one argument, as curl does; only the last may have a value: `-sL`, `-om.json`.
  private mutating func parseShort(_ next: (position: Int, argument: RawArgument)) {
    var flags: [Option] = []
    var rest = next.argument.text.dropFirst()
    while let letter = rest.popFirst() {
      guard let option = options.first(where: { $0.short == "-\(letter)" }) else {
        if reportInvalid(next) { unknownShort("-\(letter)", in: next.argument.text) }
        return
      }
      guard option.value != nil else {
        flags.append(option)
        continue
      }
      for flag in flags { take(flag) }
      guard !rest.isEmpty else {
        take(option)
        return
      }
      note(option)
      if reportInvalid(next) { apply(option, String(rest)) }
      return
    }
    for flag in flags { take(flag) }
  }

  /// Reports an unknown letter, or the whole word if a dash is missing.
  private mutating func unknownShort(_ short: String, in text: String) {
    let names = options.map(\.name)
    let isWord = text.count > 2 && nearestName(to: "-" + text, among: names) != nil
    let isKnown =
      MissingOption.named("-" + text, for: names) == nil && MissingOption.named(short, for: names) != nil
    unknown(isKnown && !isWord ? short : text, hasValue: isKnown && !text.hasSuffix(short))
  }

  /// Handles an option whose value, if it needs one, is the next argument.
  private mutating func take(_ option: Option) {
    note(option)
    guard option.value != nil else {
      apply(option, "")
      return
    }
    if option.takesRest, rest.first?.argument.text == "--" { rest.removeFirst() }
    guard let next = rest.first, option.takesRest || !next.argument.text.looksLikeAnOption else {
      result.mistakes.append(
        "\(option.name): the value is missing: write \(option.name) \(option.value ?? "")")
      return
    }
    if option.takesRest { return takeRest(option) }
    rest.removeFirst()
    guard reportInvalid(next) else { return }
    apply(option, next.argument.text)
  }

  /// Takes all remaining arguments, even if they look like options.
  private mutating func takeRest(_ option: Option) {
    while let next = rest.popFirst() {
      if reportInvalid(next) { apply(option, next.argument.text) }
    }
  }

  private mutating func note(_ option: Option) {
    guard !seen.insert(option.name).inserted, !option.repeats else { return }
    let mistake = "\(option.name): given more than once"
    if !result.mistakes.contains(mistake) { result.mistakes.append(mistake) }
  }

  private mutating func apply(_ option: Option, _ value: String) {
    let mistakes =
      option.pointsAtMistakes
      ? Self.locatedMistakes(of: option.apply, with: value, in: &result)
      : [Self.mistake(of: option.apply, with: value, in: &result)].compactMap(\.self)
    result.mistakes += mistakes.map { "\(option.name): \($0)" }
  }

  private mutating func unknown(_ name: String, hasValue: Bool) {
    let known = options.filter { !$0.isHidden }.map(\.name)
    let long = name.hasPrefix("--") ? name : "-" + name
    let nearest = nearestName(to: long, among: known + options.flatMap(\.aliases))
    let missing = MissingOption.named(name, for: known) ?? MissingOption.named(long, for: known)
    let remedy =
      missing?.remedy ?? nearest.map { "did you mean \($0)?" } ?? "see \(program) \(spec.name) --help"
    result.mistakes.append(
      "unknown option \(name.withoutCredentials.escapedForDisplay.cut(to: 60)): \(remedy)")
    // The next argument may be its value, so an error in it is not reported.
    guard !hasValue, let next = rest.first, !next.argument.text.looksLikeAnOption else { return }
    let meant = options.first { $0.name == nearest || $0.aliases.contains { $0 == nearest } }
    switch missing?.hasValue ?? meant.map({ $0.value != nil }) {
    case true?: rest.removeFirst()
    case false?: break
    case nil: doubtful.insert(next.position)
    }
  }

  /// Reports an argument that is not text.
  ///
  /// - Returns: Whether the argument is text.
  private mutating func reportInvalid(_ item: (position: Int, argument: RawArgument)) -> Bool {
    guard let mistake = item.argument.mistake(at: item.position) else { return true }
    result.mistakes.append(mistake)
    return false
  }
}

extension ArgumentParser {
  private mutating func assignPositionals() {
    var left = positionals[...]
    for positional in spec.positionals {
      let mine: ArraySlice<(position: Int, argument: RawArgument)>
      switch positional.count {
      case .one, .optional: mine = left.prefix(1)
      case .any, .some: mine = left
      }
      left = left.dropFirst(mine.count)
      if mine.isEmpty, [.one, .some].contains(positional.count) {
        result.mistakes.append("\(positional.name) is missing")
      }
      for item in mine {
        positional.note(&result.options)
        guard doubtful.contains(item.position) || reportInvalid(item) else { continue }
        let value = item.argument.text
        let apply = positional.apply
        let mistake = Self.mistake(of: { try apply(&$0.options, $1) }, with: value, in: &result)
        if let mistake, !doubtful.contains(item.position) {
          result.mistakes.append("\(Excerpt(value.withoutCredentials)): \(mistake)")
        }
      }
    }
    for item in left where !doubtful.contains(item.position) && reportInvalid(item) {
      result.mistakes.append("unexpected argument \(Excerpt(item.argument.text.withoutCredentials))")
    }
  }

  /// Passes a value to its option.
  ///
  /// - Returns: The error, without credentials from the value, or nil if there is none.
  private static func mistake(
    of apply: (inout ParsedArguments<Options>, String) throws -> Void, with value: String,
    in result: inout ParsedArguments<Options>
  ) -> String? {
    do {
      try apply(&result, value)
      return nil
    } catch {
      guard value.withoutCredentials != value else { return Self.line(for: error) }
    }
    // An error may quote the value, so the value is parsed once more without its credentials.
    do {
      var scratch = result
      try apply(&scratch, value.withoutCredentials)
      return "this value cannot be used"
    } catch {
      // The position differs from the one in the value without credentials.
      return "\(error)".escapedForDisplay
    }
  }

  /// Passes a value whose error positions are marked to its option.
  ///
  /// - Returns: The errors, each in one line followed by the value with a caret.
  private static func locatedMistakes(
    of apply: (inout ParsedArguments<Options>, String) throws -> Void, with value: String,
    in result: inout ParsedArguments<Options>
  ) -> [String] {
    do {
      try apply(&result, value)
      return []
    } catch {
      // A misplaced URL with credentials is not shown.
      let isSafe = !value.contains("://") || value.withoutCredentials == value
      let errors: [any Error] = (error as? any InvalidInputs)?.mistakes ?? [error]
      return errors.map { error in
        let caretLines = isSafe ? (error as? InvalidInput)?.caretLines(in: value) : nil
        return Self.line(for: error) + (caretLines.map { "\n" + $0 } ?? "")
      }
    }
  }

  private static func line(for error: any Error) -> String {
    let text = (error as? InvalidInput)?.descriptionWithOffset ?? "\(error)"
    return text.escapedForDisplay
  }
}

extension RawArgument {
  /// The error for an argument that is not valid UTF-8, or nil.
  package func mistake(at position: Int) -> String? {
    // Its text is already escaped.
    let shown = text.withoutCredentials.cut(to: 60).escapedForDisplay.withBackslashes(before: "\"")
    return invalidOffset.map { "argument \(position): \"\(shown)\" is not valid UTF-8 at byte \($0)" }
  }
}

extension String {
  /// Whether it looks like an option, because the value was forgotten.
  ///
  /// A single dash is a value, and so is a negative number.
  fileprivate var looksLikeAnOption: Bool {
    guard hasPrefix("-"), let second = dropFirst().first else { return false }
    return second == "-" || second.isLetter
  }

  fileprivate func cut(to length: Int) -> String {
    count > length ? prefix(length) + "…" : self
  }
}
