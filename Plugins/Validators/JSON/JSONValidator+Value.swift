internal import ProbeCore
internal import ProbeJSON

extension JSONValidator {
  /// A value in the options of a test, as in JSON.
  ///
  /// In a file, an unquoted number is a number, `true` and `false` are booleans, and `null` is null; anything
  /// in quotes is text.
  public indirect enum Value: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// Any other number: the shortest decimal number whose nearest double is this one.
    case number(Double)
    /// A number that neither of them has exactly, as it is written in JSON, such as `18446744073709551617`.
    case decimal(String)
    /// A text.
    case text(String)
    /// A list.
    case list([Value])
    /// A mapping.
    case mapping([String: Value])
  }
}

extension JSONValidator.Value {
  /// Converts the value to that of the parser.
  ///
  /// - Throws: `InvalidInput` if it contains a number that JSON cannot express.
  func json() throws(InvalidInput) -> JSONValue {
    switch self {
    case .null: return .null
    case .boolean(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .number(let value): return .number(try Self.number(JSONNumber(value), "\(value)"))
    case .decimal(let text): return .number(try Self.number(JSONNumber(text), text))
    case .text(let text): return .string(text)
    case .list(let items): return .array(try items.map { item throws(InvalidInput) in try item.json() })
    case .mapping(let entries):
      let members = entries.sorted { $0.key < $1.key }
      return .object(
        try members.map { entry throws(InvalidInput) in JSONValue.Member(entry.key, try entry.value.json()) })
    }
  }

  private static func number(_ number: JSONNumber?, _ text: String) throws(InvalidInput) -> JSONNumber {
    guard let number else {
      throw InvalidInput("\(Excerpt(text)) is not a number in JSON", remedy: "use digits, as in -1.5e3")
    }
    return number
  }
}

extension JSONValidator.Value: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var items: [Self] = []
      while !list.isAtEnd { items.append(try list.decode(Self.self)) }
      self = .list(items)
      return
    }
    if let container = try? decoder.container(keyedBy: Name.self) {
      var entries: [String: Self] = [:]
      for key in container.allKeys { entries[key.stringValue] = try container.decode(Self.self, forKey: key) }
      self = .mapping(entries)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(JSONNumber.self) {
      // A double is enough for most numbers.
      let double = JSONNumber(value.double)
      self = double?.order(to: value) == 0 ? .number(value.double) : .decimal(value.text)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Encodes the value; a number that no other case has exactly is rounded to a double.
  ///
  /// - Throws: `EncodingError` for a number beyond the range of doubles.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .decimal(let text): try container.encode(JSONNumber(text)?.double ?? .nan)
    case .text(let text): try container.encode(text)
    case .list(let items): try container.encode(items)
    case .mapping(let entries): try container.encode(entries)
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
