internal import ProbeCore
internal import ProbeJansson

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
    /// Any other number.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([Value])
    /// A mapping.
    case mapping([String: Value])
  }
}

extension JSONValidator.Value {
  /// The value as the parser represents it.
  var json: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .number(let value): .real(value)
    case .text(let text): .string(text)
    case .list(let items): .array(items.map(\.json))
    case .mapping(let entries):
      .object(entries.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) })
    }
  }

  /// Whether it is a number.
  var isNumber: Bool {
    switch self {
    case .integer, .number: true
    default: false
    }
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
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .boolean(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
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
