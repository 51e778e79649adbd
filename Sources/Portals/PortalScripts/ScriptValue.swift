import ProbeBase

/// What is known about a value of a script.
enum ScriptValue {
  /// Nothing.
  case unknown
  /// The value is `undefined` or `null`.
  case undefined
  case bool(Bool)
  /// A boolean that follows from known texts and therefore is constant.
  case fact(Bool)
  /// A text, with a placeholder for each unknown part; see ``ScriptText``.
  case text([UInt8])
  /// A number, as written.
  case number([UInt8])
  /// A number that follows from known texts, such as an index in one.
  case count(ExternalNumber)
  /// A regular expression that matches only this text.
  case pattern([UInt8], isGlobal: Bool)
  /// A browser object.
  case object(ScriptObject)
  /// A function of the scripts, by its index.
  case function(Int)
  /// An object that the scripts created, by its index.
  case record(Int32)
  /// An element of the page, by its index; whether it exists is not known.
  case element(Int32)
}

/// The browser objects that matter for redirects.
enum ScriptObject: Equatable {
  case window, document, location
  /// The forms of the document.
  case forms
  /// Their jQuery wrappers.
  case wrappedWindow, wrappedDocument, wrappedLocation

  /// The jQuery wrapper of this object.
  var wrapped: ScriptObject {
    switch self {
    case .window, .wrappedWindow: .wrappedWindow
    case .document, .wrappedDocument: .wrappedDocument
    case .location, .wrappedLocation: .wrappedLocation
    case .forms: .forms
    }
  }
}

/// A Reference Record (ECMAScript §6.2.5): where a value is stored, as far as the walk knows it.
enum ScriptReference {
  case none
  case variable(ScriptName)
  case member(of: ScriptValue, ScriptName)
  /// A member whose name is unknown.
  case anyMember(of: ScriptValue)
}

extension ScriptValue {
  /// The truth value in a condition; nil if it is unknown.
  var truth: Bool? {
    switch self {
    case .unknown, .number, .element: nil
    case .undefined: false
    case .bool(let value), .fact(let value): value
    case .count(let number): number != 0
    case .text(let text): text.isEmpty ? false : text == [ScriptText.hole] ? nil : true
    case .object, .function, .record, .pattern: true
    }
  }

  /// Whether its truth value is constant, because it follows from known texts.
  var isCertain: Bool {
    switch self {
    case .fact, .count: true
    default: false
    }
  }

  /// The value as an integer, if it is one that a script represents exactly.
  var integer: Int? {
    switch self {
    case .count(let number): number.value
    case .number(let digits): Int(text: String(decoding: digits, as: UTF8.self))
    default: nil
    }
  }

  /// The length of its text in bytes.
  var textLength: Int {
    if case .text(let text) = self { text.count } else { 0 }
  }

  /// Whether two values are equal; nil if it is unknown, as for numbers, which may be counters.
  func isEqual(to other: ScriptValue) -> Bool? {
    switch (self, other) {
    case (.text(let left), .text(let right)):
      left.contains(ScriptText.hole) || right.contains(ScriptText.hole) ? nil : left == right
    case (.object(let left), .object(let right)): left == right
    case (.undefined, .undefined): true
    case (.bool(let left), .bool(let right)), (.fact(let left), .bool(let right)),
      (.bool(let left), .fact(let right)), (.fact(let left), .fact(let right)):
      left == right
    case (.count, .number), (.number, .count), (.count, .count):
      integer.flatMap { left in other.integer.map { left == $0 } }
    case (.undefined, .text), (.text, .undefined), (.undefined, .object), (.object, .undefined),
      (.undefined, .fact), (.fact, .undefined):
      false
    default: nil
    }
  }

  /// Whether it is less than, greater than, or equal to another value; nil unless that follows from known
  /// texts.
  func order(_ kind: ScriptToken.Kind, orEqual: Bool, _ other: ScriptValue) -> Bool? {
    guard isCertain || other.isCertain, let left = integer, let right = other.integer else { return nil }
    return orEqual && left == right || (kind == .less ? left < right : left > right)
  }

  /// The value of a comparison.
  static func truth(_ truth: Bool?, isCertain: Bool) -> ScriptValue {
    truth.map { isCertain ? .fact($0) : .bool($0) } ?? .unknown
  }

  /// What is known about a value that is either this one or another.
  ///
  /// An undefined value cannot be a redirect target, and where an object may be missing, scripts continue
  /// with the object; any other two different values result in an unknown one.
  func joined(with other: ScriptValue) -> ScriptValue {
    switch (self, other) {
    case (.undefined, _), (.unknown, .object), (.unknown, .function), (.unknown, .record): other
    case (_, .undefined), (.object, .unknown), (.function, .unknown), (.record, .unknown): self
    case (.function(let first), .function(let second)): first == second ? self : .unknown
    case (.record(let first), .record(let second)), (.element(let first), .element(let second)):
      first == second ? self : .unknown
    default: isEqual(to: other) == true ? self : .unknown
    }
  }
}
