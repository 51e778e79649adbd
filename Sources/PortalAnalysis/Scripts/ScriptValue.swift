/// What reading knows of a value of a script.
enum ScriptValue {
  /// Nothing.
  case unknown
  /// It has no value: `undefined` or `null`.
  case undefined
  case bool(Bool)
  /// A boolean that follows from known texts and therefore never changes.
  case fact(Bool)
  /// A text, with a mark for each part that is not known; see ``ScriptText``.
  case text([UInt8])
  /// A number, as written.
  case number([UInt8])
  /// A number that follows from known texts, such as the place of one in another.
  case count(Int)
  /// A regular expression that matches only this text.
  case pattern([UInt8])
  /// An object of the browser.
  case object(ScriptObject)
  /// A function of the scripts, by its number.
  case function(Int)
  /// An object that the scripts made, by its number.
  case record(Int32)
}

/// The objects of the browser that redirects are about.
enum ScriptObject: Equatable {
  case window, document, location
  /// What jQuery makes of them.
  case wrappedWindow, wrappedDocument, wrappedLocation

  /// The object that jQuery makes of this one.
  var wrapped: ScriptObject {
    switch self {
    case .window, .wrappedWindow: .wrappedWindow
    case .document, .wrappedDocument: .wrappedDocument
    case .location, .wrappedLocation: .wrappedLocation
    }
  }
}

/// Where a value is kept, as far as an assignment or a call can name it.
enum ScriptPlace {
  case none
  case variable(ScriptName)
  case member(of: ScriptValue, ScriptName)
  /// A member whose name is not known.
  case anyMember
}

extension ScriptValue {
  /// The truth of the value in a condition; nil when it is not known.
  var truth: Bool? {
    switch self {
    case .unknown, .number: nil
    case .undefined: false
    case .bool(let value), .fact(let value): value
    case .count(let number): number != 0
    case .text(let text): text.isEmpty ? false : text == [ScriptText.hole] ? nil : true
    case .object, .function, .record, .pattern: true
    }
  }

  /// Whether its truth never changes, because it follows from known texts.
  var isCertain: Bool {
    switch self {
    case .fact, .count: true
    default: false
    }
  }

  /// The number that it is.
  var integer: Int? {
    switch self {
    case .count(let number): number
    case .number(let digits): Int(String(decoding: digits, as: UTF8.self))
    default: nil
    }
  }

  /// How many bytes of text it is.
  var textLength: Int {
    if case .text(let text) = self { text.count } else { 0 }
  }

  /// Whether two values are the same; nil when it is not known, as of numbers: they count something.
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

  /// Whether it is before another one, behind it, or the same; nil when that does not follow from known texts.
  func order(_ kind: ScriptToken.Kind, orEqual: Bool, _ other: ScriptValue) -> Bool? {
    guard isCertain || other.isCertain, let left = integer, let right = other.integer else { return nil }
    return orEqual && left == right || (kind == .less ? left < right : left > right)
  }

  /// The value of a comparison.
  static func truth(_ truth: Bool?, isCertain: Bool) -> ScriptValue {
    truth.map { isCertain ? .fact($0) : .bool($0) } ?? .unknown
  }

  /// What is known of a value that is this one or another.
  ///
  /// Nobody leads on with what has no value, and where an object may be missing, scripts go on with it; any other two
  /// values that are not the same are not known.
  func joined(with other: ScriptValue) -> ScriptValue {
    switch (self, other) {
    case (.undefined, _), (.unknown, .object), (.unknown, .function), (.unknown, .record): other
    case (_, .undefined), (.object, .unknown), (.function, .unknown), (.record, .unknown): self
    case (.function, .function), (.record, .record): self
    default: isEqual(to: other) == true ? self : .unknown
    }
  }
}
