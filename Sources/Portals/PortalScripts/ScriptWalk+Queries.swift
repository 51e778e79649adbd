import ProbeCore

/// `URL` and `URLSearchParams` (URL standard §6), as objects with members that no script can name.
extension ScriptWalk {
  /// The encoded text of a query.
  private static let queryText: ScriptName = -2
  /// The text of a URL up to its query, which is its member `searchParams`.
  private static let pathText: ScriptName = -3

  mutating func makeURL(_ arguments: [ScriptValue]) -> ScriptValue {
    var text = arguments.first.map(bytes(of:)) ?? []
    if arguments.count > 1 {
      guard !text.contains(ScriptText.hole),
        let base = try? ProbeURL(String(decoding: bytes(of: arguments[1]), as: UTF8.self)),
        let url = base.resolve(String(decoding: text, as: UTF8.self))
      else { return .unknown }
      text = Array(url.string.utf8)
    }
    textBudget -= text.count * 16
    let path = text.prefix { $0 != UInt8(ascii: "?") }
    guard textBudget > 0, !text.contains(UInt8(ascii: "#")), !path.contains(ScriptText.hole),
      let url = try? ProbeURL(String(decoding: path, as: UTF8.self))
    else { return .unknown }
    let query = makeRecord([(Self.queryText, .text(Array(text[path.endIndex...].dropFirst())))])
    let start = Self.origin(of: url, withDefaultPort: false) + Array((url.path.isEmpty ? "/" : url.path).utf8)
    return makeRecord([(Self.pathText, .text(start)), (ScriptWord.searchParams.name, query)])
  }

  /// Creates a query from a text or an object.
  mutating func makeQuery(_ value: ScriptValue?) -> ScriptValue {
    var query = ScriptValue.text([])
    switch value {
    case nil: break
    case .text(let text):
      textBudget -= text.count * 16
      let parts = text[(text.first == UInt8(ascii: "?") ? 1 : 0)...].split(separator: UInt8(ascii: "&"))
      guard textBudget > 0, parts.count <= Self.maximumValues else { return .unknown }
      for (name, value) in parts.map(Self.pair) { query = appended(name, .text(value), to: query) }
    case .record(let record):
      guard let texts = keys(of: value), let known = keys[record], texts.count <= Self.maximumValues else {
        return .unknown
      }
      for (text, name) in zip(texts, known) {
        query = appended(bytes(of: text), fields[Self.key(record, name)], to: query)
      }
    default: return .unknown
    }
    return makeRecord([(Self.queryText, query)])
  }

  private mutating func makeRecord(_ members: [(name: ScriptName, value: ScriptValue)]) -> ScriptValue {
    recordCount += 1
    for (name, value) in members { set(.field(Self.key(recordCount, name)), value) }
    return .record(recordCount)
  }

  /// Whether an object is a URL or a query.
  func isURL(_ record: Int32) -> Bool {
    fields[Self.key(record, Self.queryText)] != nil || fields[Self.key(record, Self.pathText)] != nil
  }

  /// The text of a query or a URL; nil if an object is neither, or its text is unknown.
  func text(ofURL record: Int32) -> [UInt8]? {
    guard !spoiled.contains(record) else { return nil }
    if case .text(let text)? = fields[Self.key(record, Self.queryText)] { return text }
    guard case .text(let path)? = fields[Self.key(record, Self.pathText)],
      case .record(let query)? = fields[Self.key(record, ScriptWord.searchParams.name)]
    else { return nil }
    return text(ofURL: query).map { $0.isEmpty ? path : path + [UInt8(ascii: "?")] + $0 }
  }

  /// Calls a method of a query or a URL.
  mutating func call(_ word: ScriptWord, ofURL record: Int32, _ arguments: [ScriptValue]) -> ScriptValue {
    guard textBudget > 0, let text = text(ofURL: record) else { return .unknown }
    textBudget -= text.count * 16
    if fields[Self.key(record, Self.pathText)] != nil { return word == .toString ? .text(text) : .unknown }
    let name = arguments.first.map(bytes(of:))
    let pairs = text.split(separator: UInt8(ascii: "&")).map(Self.pair)
    let known = pairs.firstIndex { $0.name == name }
    switch word {
    case .get:
      if let known { return .text(pairs[known].value) }
      return text.contains(ScriptText.hole) ? .unknown : .undefined
    case .toString, .append, .set:
      let value = arguments.dropFirst().first
      var query = ScriptValue.text([])
      for (index, pair) in pairs.enumerated() where word != .set || pair.name != name || index == known {
        query = appended(pair.name, word == .set && index == known ? value : .text(pair.value), to: query)
      }
      if word == .toString { return query }
      if let name, word == .append || known == nil { query = appended(name, value, to: query) }
      set(.field(Self.key(record, Self.queryText)), query)
      return .undefined
    default:
      spoil([.record(record)])
      return .unknown
    }
  }

  private mutating func appended(_ name: [UInt8], _ value: ScriptValue?, to query: ScriptValue) -> ScriptValue
  {
    let value = value.map(bytes(of:)) ?? [ScriptText.hole]
    textBudget -= (name.count + value.count) * 16
    guard textBudget > 0 else { return .unknown }
    let pair = Self.encoded(name) + [UInt8(ascii: "=")] + Self.encoded(value)
    return concatenation(query, .text(query.textLength == 0 ? pair : [UInt8(ascii: "&")] + pair))
  }

  /// The decoded name and value of a part of a query.
  private static func pair(_ part: ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8]) {
    let name = part.prefix { $0 != UInt8(ascii: "=") }
    return (decoded(name), decoded(part[name.endIndex...].dropFirst()))
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return ScriptTextFunction.decode.result(of: spaced) ?? spaced
  }

  private static func encoded(_ text: [UInt8]) -> [UInt8] {
    ScriptTextFunction.query.result(of: text)?.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 } ?? []
  }
}
