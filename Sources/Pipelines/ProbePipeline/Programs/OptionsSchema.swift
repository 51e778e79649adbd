import ProbeCore
import ProbePatterns
import SourceDocuments

/// A JSON Schema for the options of a plugin: the keywords that constrain a value, without references.
///
/// The meaning of each keyword is that of JSON Schema (draft 2020-12), except that `default` is not only an annotation:
/// an option that is missing has that value.
final class OptionsSchema: Sendable {
  /// A type of JSON values.
  enum Kind: String, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// What is allowed for members that `properties` does not list.
  enum OtherMembers: Sendable {
    case any
    case none
    case each(OptionsSchema)
  }

  /// The allowed types; empty for any.
  let kinds: [Kind]
  /// The only allowed values (`enum`, `const`); nil for any.
  let values: [PluginOption]?
  /// The bounds of a number.
  let minimum: JSONNumber?
  /// The bounds of a number.
  let maximum: JSONNumber?
  /// The pattern that must match somewhere in a string.
  let pattern: Pattern?
  /// The pattern as written.
  let patternText: String?
  /// The schema of each item of an array.
  let items: OptionsSchema?
  /// The members of an object.
  let properties: [(name: String, schema: OptionsSchema)]
  /// The members that an object must have.
  let required: [String]
  /// Its other members.
  let others: OtherMembers
  /// The value that replaces a missing one.
  let usual: PluginOption?

  /// Creates a schema; without arguments, any value is allowed.
  init(
    kinds: [Kind] = [], values: [PluginOption]? = nil, minimum: JSONNumber? = nil, maximum: JSONNumber? = nil,
    pattern: (compiled: Pattern, text: String)? = nil, items: OptionsSchema? = nil,
    properties: [(name: String, schema: OptionsSchema)] = [], required: [String] = [],
    others: OtherMembers = .any, usual: PluginOption? = nil
  ) {
    (self.kinds, self.values, self.minimum, self.maximum) = (kinds, values, minimum, maximum)
    (self.pattern, patternText, self.items) = (pattern?.compiled, pattern?.text, items)
    (self.properties, self.required, self.others, self.usual) = (properties, required, others, usual)
  }

  /// Whether a value may have a type.
  func allows(_ kind: Kind) -> Bool {
    kinds.isEmpty || kinds.contains(kind) || kind == .integer && kinds.contains(.number)
  }
}

/// A value of an option, as it is sent to a plugin.
indirect enum PluginOption: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([PluginOption])
  /// An object with its members in order.
  case object([Member])

  /// A member of an object.
  struct Member: Hashable, Sendable {
    var name: String
    var value: PluginOption
  }

  /// The value as JSON.
  var json: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let text): text
    case .string(let text): text.quotedInJSON
    case .array(let items): "[\(items.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.name.quotedInJSON):\($0.value.json)" }.joined(separator: ","))}"
    }
  }

  /// Whether two values are equal as JSON: numbers by value, and objects in any order.
  func isEqual(to other: PluginOption) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      left == right
        || JSONNumber(left).flatMap { left in JSONNumber(right).map { left.order(to: $0) == 0 } } ?? false
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in
          right.contains { $0.name == member.name && member.value.isEqual(to: $0.value) }
        }
    default: self == other
    }
  }
}
