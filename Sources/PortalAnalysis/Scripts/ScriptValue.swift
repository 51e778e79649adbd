/// What reading knows of a value of a script.
enum ScriptValue {
  /// Nothing.
  case unknown
  /// It has no value: `undefined` or `null`.
  case undefined
  case bool(Bool)
  /// A text, with a mark for each part that is not known; see ``ScriptText``.
  case text([UInt8])
  /// A number, as written.
  case number([UInt8])
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
    case .bool(let value): value
    case .text(let text): text.isEmpty ? false : text == [ScriptText.hole] ? nil : true
    case .object, .function, .record: true
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
    case (.bool(let left), .bool(let right)): left == right
    case (.undefined, .text), (.text, .undefined), (.undefined, .object), (.object, .undefined): false
    default: nil
    }
  }

  /// Whether a new value that only holds under some condition should not take its place.
  var isWorthKeeping: Bool {
    switch self {
    case .unknown, .undefined: false
    case .text(let text): text.first.map { $0 != ScriptText.hole } ?? false
    case .bool, .number, .object, .function, .record: true
    }
  }
}
