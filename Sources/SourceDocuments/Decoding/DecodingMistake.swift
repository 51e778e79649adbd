internal import ProbeCore

/// What the decoder found wrong, as it travels inside a `DecodingError` through the types that are decoded.
struct DecodingMistake: Error {
  /// What kind of mistake it is.
  enum Kind {
    /// A value that its type does not take.
    case value
    /// A scalar, list or mapping where something else must be; the type is the one that was to be made of it.
    case shape(any Any.Type)
    /// A key that is not there, with the type of its value.
    case missing(String, any Any.Type)
    /// What was told already.
    case silent
  }

  var kind: Kind
  /// Where in the value that is decoded.
  var path: [String]
  var input: InvalidInput
}

/// Mistakes that a type told of a part, as seen from the whole.
struct NestedMistakes: InvalidInputs {
  var mistakes: [InvalidInput]
  /// Where the part is.
  var path: [String]

  init(_ error: any InvalidInputs, at base: [String]) {
    mistakes = error.mistakes.map { $0.at(base) }
    path = base + ((error as? NestedMistakes)?.path ?? [])
  }
}

extension DecodingMistake {
  /// The error that Swift's decoders throw of it.
  func error(_ codingPath: [any CodingKey], type: any Any.Type) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: input.description, underlyingError: self)
    switch kind {
    case .value, .silent: return .dataCorrupted(context)
    case .shape(let type): return .typeMismatch(type, context)
    case .missing(let key, _): return .keyNotFound(AnyCodingKey(key), context)
    }
  }

  /// The mistake in an error, or nil when it is somebody else's.
  init?(_ error: any Error) {
    guard let mistake = (error as? DecodingError)?.context?.underlyingError as? DecodingMistake else {
      return nil
    }
    self = mistake
  }
}

extension DecodingError {
  /// Where it happened and why.
  var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }
}

/// A key with any name, or the number of an item.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(stringValue: String) { self.init(stringValue) }

  init(intValue: Int) {
    stringValue = "\(intValue)"
    self.intValue = intValue
  }
}
