import ProbeCore

/// A syntax error, described in terms of the file.
struct SyntaxError {
  let message: String
  let remedy: String?
  /// The byte offset where it is shown.
  let offset: Int

  /// Translates a parser error.
  init(_ error: YAMLError, in file: SourceFile) {
    let scene = Scene(error, file)
    let words =
      Self.encoding(scene) ?? Self.tab(scene) ?? Self.escape(scene) ?? Self.flow(scene) ?? Self.block(scene)
    if let words {
      (message, remedy, offset) = (words.message, words.remedy, words.offset ?? error.mark.offset)
    } else {
      let context = error.context.map { " \($0)" } ?? ""
      (message, remedy, offset) = (error.problem + context, nil, error.mark.offset)
    }
  }

  private typealias Words = (message: String, remedy: String?, offset: Int?)

  /// A parser error with its surroundings.
  private struct Scene {
    let error: YAMLError
    let file: SourceFile

    init(_ error: YAMLError, _ file: SourceFile) {
      self.error = error
      self.file = file
    }

    var byte: UInt8? { file.bytes.indices.contains(error.mark.offset) ? file.bytes[error.mark.offset] : nil }
    var start: Int? { error.contextMark?.offset }
    var startLine: Int { file.location(at: start ?? error.mark.offset).line }

    /// How a quote is escaped inside the quotes that end before the offset, on the same line.
    var quoteInFront: String? {
      let line = file.line(around: error.mark.offset)
      guard error.mark.offset <= line.upperBound else { return nil }
      switch file.bytes[line.lowerBound..<error.mark.offset].last(where: { $0 != UInt8(ascii: " ") }) {
      case UInt8(ascii: "\""): return "\\\""
      case UInt8(ascii: "'"): return "''"
      default: return nil
      }
    }

    func reports(_ words: String) -> Bool { error.problem.contains(words) }
    func isAt(_ character: Character) -> Bool { byte != nil && byte == character.asciiValue }
  }
}

extension SyntaxError {
  private static func encoding(_ scene: Scene) -> Words? {
    switch scene.error.code {
    case .encoding:
      (scene.error.problem, "save the file as UTF-8", nil)
    case .character:
      ("a control character", "remove it, or write it as an escape in double quotes, such as \"\\x1b\"", nil)
    default: nil
    }
  }

  private static func tab(_ scene: Scene) -> Words? {
    let isTab =
      scene.reports("found a tab character") || scene.reports("cannot start any token") && scene.isAt("\t")
    guard isTab else { return nil }
    // The parser reports the start of the line, or the tab itself.
    let line = scene.file.line(around: scene.error.mark.offset)
    let tab = scene.file.bytes[line].firstIndex(of: UInt8(ascii: "\t"))
    return ("a tab in the indentation", "use spaces", tab)
  }

  private static func escape(_ scene: Scene) -> Words? {
    // The parser reports the offset after the `\u`, where the digits are.
    if scene.reports("invalid Unicode character escape code") {
      let digits = String(decoding: scene.file.bytes[scene.error.mark.offset...].prefix(4), as: UTF8.self)
      let isHalf = UInt16(text: digits, radix: 16).map { (0xD800...0xDFFF).contains($0) } ?? false
      return isHalf
        ? (
          "half of a surrogate pair", "write both halves, as in \"\\ud83d\\ude00\"",
          scene.error.mark.offset - 2
        )
        : ("there is no character with this number", nil, scene.error.mark.offset - 2)
    }
    if scene.reports("unknown escape character") {
      return (
        "an unknown escape", "write \\\\ for a backslash, or use single quotes", scene.error.mark.offset
      )
    }
    if scene.reports("expected hexdecimal number") {
      return ("an escape with too few digits", "write two behind \\x, four behind \\u, eight behind \\U", nil)
    }
    guard scene.reports("unexpected end of stream") || scene.reports("unexpected document indicator"),
      scene.error.context?.contains("quoted") == true
    else { return nil }
    return ("the quote that starts here does not end", nil, scene.start)
  }

  private static func flow(_ scene: Scene) -> Words? {
    let isMapping = scene.error.problem.hasSuffix("',' or '}'")
    if isMapping || scene.error.problem.hasSuffix("',' or ']'") {
      let close = isMapping ? "}" : "]"
      let open = isMapping ? "{" : "["
      let isSameLine = scene.file.location(at: scene.error.mark.offset).line == scene.startLine
      if scene.isAt(":") {
        let other = isSameLine ? "" : ", or close the \(open) of line \(scene.startLine)"
        return ("a \": \" in a text without quotes", "quote the text\(other)", nil)
      }
      guard scene.byte != nil, isSameLine else {
        return ("the \(open) that starts here does not end", "close it with \(close)", scene.start)
      }
      return ("neither a comma nor \(close)", "quote the text, or end it", nil)
    }
    guard scene.reports("expected node content") else { return nil }
    return ("there is nothing between two commas or brackets", "write a value, or remove the comma", nil)
  }

  private static func block(_ scene: Scene) -> Words? {
    if scene.reports("mapping values are not allowed") {
      return ("a \": \" in a text without quotes", "quote the text, or put the key on a separate line", nil)
    }
    if scene.reports("could not find expected ':'") {
      return (
        "a line that is neither a key with its value nor a list's item", "write KEY: VALUE", scene.start
      )
    }
    if scene.reports("block sequence entries are not allowed") {
      return ("a list's item cannot start here", "put it on a separate line", nil)
    }
    if scene.reports("did not find expected key"), let quote = scene.quoteInFront {
      return (
        "text behind the closing quote", "quote all of it, and write \(quote) for a quote inside", nil
      )
    }
    if scene.reports("did not find expected key") {
      return (
        "no key of the mapping that starts in line \(scene.startLine)",
        "indent it as that mapping's keys, and quote a text that has special characters", nil
      )
    }
    if scene.reports("did not find expected '-' indicator") {
      return (
        "no item of the list that starts in line \(scene.startLine)",
        "start it with \"- \", or mend the indentation",
        nil
      )
    }
    if scene.reports("cannot start any token"), let byte = scene.byte {
      let character = Excerpt(CollectionOfOne(byte))
      return ("a text without quotes cannot start with \(character)", "quote the text", nil)
    }
    if scene.reports("did not find expected <document start>") {
      return ("text behind the end of the value", "a file contains one mapping", nil)
    }
    return nil
  }
}
