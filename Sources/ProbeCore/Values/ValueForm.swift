/// What a value in a file may look like; the schema that an editor checks a file with is made of it.
public struct ValueForm: Hashable, Sendable {
  package indirect enum Kind: Hashable, Sendable {
    case anything
    case text(TextForm)
    case integer(ClosedRange<Int>)
    case number
    case boolean
    case choice([String])
    case list(of: ValueForm, atLeast: Int)
    case mapping(keys: [KeyForm], others: ValueForm?)
    case anyOf([ValueForm])
    case named(String, ValueForm)
    case reference(String)
  }

  package let kind: Kind

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// Any value.
  public static var anything: ValueForm { ValueForm(.anything) }
  /// A text, be it empty; what is written without quotes is one too.
  public static var text: ValueForm { text() }

  /// A text.
  ///
  /// - Parameters:
  ///   - pattern: A regular expression (ECMA-262) that matches somewhere in it; nil for any text.
  ///   - canBeEmpty: Whether it may have no characters.
  ///   - canBeNumber: Whether a number without quotes may stand for it: then the text is what is written.
  ///   - canBeBoolean: Whether `true` or `no` without quotes may stand for it.
  ///   - examples: What it may look like.
  /// - Returns: The form.
  public static func text(
    pattern: String? = nil, canBeEmpty: Bool = true, canBeNumber: Bool = true, canBeBoolean: Bool = true,
    examples: [String] = []
  ) -> ValueForm {
    let form = TextForm(
      pattern: pattern, canBeEmpty: canBeEmpty, canBeNumber: canBeNumber, canBeBoolean: canBeBoolean,
      examples: examples)
    return ValueForm(.text(form))
  }

  /// A whole number in bounds.
  public static func integer(in bounds: ClosedRange<Int> = .min ... .max) -> ValueForm {
    ValueForm(.integer(bounds))
  }

  /// A number.
  public static var number: ValueForm { ValueForm(.number) }
  /// `true` or `false`.
  public static var boolean: ValueForm { ValueForm(.boolean) }
  /// One of several words.
  public static func choice(_ names: [String]) -> ValueForm { ValueForm(.choice(names)) }

  /// A list with a least number of items.
  public static func list(of item: ValueForm, atLeast count: Int = 0) -> ValueForm {
    ValueForm(.list(of: item, atLeast: count))
  }

  /// A mapping with these keys; `others` is what values of other keys may be, nil when there may be none.
  public static func mapping(_ keys: [KeyForm], others: ValueForm? = nil) -> ValueForm {
    ValueForm(.mapping(keys: keys, others: others))
  }

  /// Any of several forms.
  public static func anyOf(_ forms: [ValueForm]) -> ValueForm {
    var unique: [ValueForm] = []
    var seen: Set<ValueForm> = []
    // The first that has a name defines it, and later ones refer to that.
    for form in forms.flatMap(\.alternatives) where seen.insert(form.referring).inserted {
      unique.append(form)
    }
    if unique.contains(.anything) { return .anything }
    return unique.count == 1 ? unique[0] : ValueForm(.anyOf(unique))
  }

  /// A form with a name, by which forms inside of it can refer to it.
  public static func named(_ name: String, _ form: ValueForm) -> ValueForm { ValueForm(.named(name, form)) }
  /// A form that is named elsewhere.
  public static func reference(_ name: String) -> ValueForm { ValueForm(.reference(name)) }
}

/// A key of a mapping, and what its value may look like.
public struct KeyForm: Hashable, Sendable {
  /// The key.
  public var name: String
  /// What its value may look like.
  public var form: ValueForm
  /// Whether it must be there.
  public var isRequired: Bool
  /// What it is for, one line, or nil.
  public var summary: String?

  /// A key.
  public init(_ name: String, _ form: ValueForm, isRequired: Bool = false, summary: String? = nil) {
    self.name = name
    self.form = form
    self.isRequired = isRequired
    self.summary = summary
  }
}

/// What a text may look like.
package struct TextForm: Hashable, Sendable {
  package var pattern: String?
  package var canBeEmpty: Bool
  package var canBeNumber: Bool
  package var canBeBoolean: Bool
  package var examples: [String]
}

/// A type that says itself what its values look like in a file, because that cannot be found out by decoding one.
public protocol DescribedForm {
  /// What a value may look like.
  ///
  /// - Parameter other: Describes a type that is decoded as a part of it.
  /// - Returns: The form.
  static func form(describing other: (any Decodable.Type) -> ValueForm) -> ValueForm
}
