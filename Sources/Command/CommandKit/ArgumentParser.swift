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

/// An argument from the operating system: bytes, which may be invalid UTF-8.
package struct RawArgument: Hashable, Sendable {
  /// The argument as text; bytes that are not valid UTF-8 are written as `\xNN`.
  package let text: String
  /// The index of the first byte that is not valid UTF-8, or nil.
  let invalidOffset: Int?

  /// Whether the argument is valid UTF-8.
  package var isValid: Bool { invalidOffset == nil }

  package init(_ bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self.text = text
      invalidOffset = nil
      return
    }
    var text = ""
    var offset: Int?
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = rest.validUTF8PrefixLength
      text += String(decoding: rest.prefix(length), as: UTF8.self)
      rest = rest.dropFirst(length)
      guard let byte = rest.popFirst() else { break }
      if offset == nil { offset = rest.startIndex - 1 }
      text += "\\x" + String(byte, radix: 16)
    }
    self.text = text
    invalidOffset = offset
  }

  package init(_ text: String) {
    self.text = text
    invalidOffset = nil
  }
}

extension ArraySlice<UInt8> {
  /// The number of leading bytes that are complete UTF-8 sequences.
  fileprivate var validUTF8PrefixLength: Int {
    var decoder = UTF8()
    var iterator = makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      length += UTF8.width(scalar)
    }
    return length
  }
}

/// An option of curl or of another command that a command does not support, with a replacement.
package struct MissingOption: Sendable {
  /// Its names, with their dashes.
  private let names: [String]
  /// The option that a command must have for the remedy to apply.
  private let needs: String
  /// The replacement, with the reason.
  package let remedy: String
  /// Whether it has a value, so that the next word is not an argument.
  var hasValue = false

  /// The option of this name.
  ///
  /// - Parameters:
  ///   - name: The name with its dashes.
  ///   - options: The options of the command.
  /// - Returns: The option, or nil if it is unknown or the command has no replacement.
  package static func named(_ name: String, for options: [String]) -> MissingOption? {
    all.first { $0.names.contains(name) && options.contains($0.needs) }
  }

  private static let all: [MissingOption] = [
    MissingOption(
      names: ["-k", "--insecure", "--proxy-insecure"], needs: "--cacert",
      remedy:
        "certificates are always verified, because an unverified response says nothing about the network; to "
        + "trust your own certificate authority, use --cacert FILE"),
    MissingOption(names: ["-I", "--head"], needs: "--request", remedy: "use -X HEAD"),
    MissingOption(
      names: ["-i", "--include", "--show-headers"], needs: "--verbose",
      remedy: "use -v, which shows the response's header fields on standard error"),
    MissingOption(
      names: ["-u", "--user"], needs: "--basic",
      remedy: "use --basic USER:env:NAME or --basic USER:file:PATH",
      hasValue: true),
    MissingOption(
      names: ["-b", "--cookie"], needs: "--header", remedy: "use -H 'Cookie: NAME=VALUE'", hasValue: true),
    MissingOption(
      names: ["-e", "--referer"], needs: "--header", remedy: "use -H 'Referer: URL'", hasValue: true),
    MissingOption(
      names: ["-E", "--cert"], needs: "--client-cert", remedy: "use --client-cert FILE", hasValue: true),
    MissingOption(names: ["--key"], needs: "--client-key", remedy: "use --client-key FILE", hasValue: true),
    MissingOption(
      names: ["--json", "--data-raw", "--data-binary", "--data-urlencode", "-F", "--form"], needs: "--data",
      remedy: "use --data, with -H for another Content-Type", hasValue: true),
    MissingOption(
      names: ["--resolve"], needs: "--connect-to", remedy: "use --connect-to HOST:PORT:ADDR:PORT",
      hasValue: true),
    MissingOption(names: ["--connect-timeout"], needs: "--timeout", remedy: "use --timeout", hasValue: true),
    MissingOption(
      names: ["-f", "--fail"], needs: "--status",
      remedy: "omit it; a status other than 2xx is not accepted unless --status allows it"),
    MissingOption(
      names: ["-S", "--show-error"], needs: "--quiet", remedy: "omit it; errors are always shown"),
    MissingOption(
      names: ["--allow-http"], needs: "--cacert",
      remedy: "set policy: { https: optional } in the pipeline file"),
    MissingOption(
      names: ["--profile"], needs: "--cacert",
      remedy: "use it with check or monitor; the command profiles prints a profile as a pipeline file",
      hasValue: true),
  ]
}
