internal import ProbeCore

/// A decoder that has an answer to everything, and notes what it is asked for.
struct DescribingDecoder {
  let notes: FormNotes
  let trial: Trial
  let description: FormDescription
  var codingPath: [any CodingKey] = []
  /// Whether it is a part of the value, which may be of any shape that the trial does not refuse.
  var isPart = false
  /// Which keys somebody asked whether they are there.
  let questions = Questions()

  init(_ notes: FormNotes, _ trial: Trial, _ description: FormDescription) {
    self.notes = notes
    self.trial = trial
    self.description = description
  }

  /// The decoder of a part.
  func part(_ notes: FormNotes, _ key: any CodingKey) -> DescribingDecoder {
    var part = DescribingDecoder(notes, trial, description)
    part.codingPath = codingPath + [key]
    part.isPart = true
    return part
  }

  /// A value of a type, of which the form is noted.
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let (form, value) = description.describe(type)
    notes.add(form)
    let isRefused =
      isPart
      ? trial.refused.map { form.alternatives.count == 1 && $0.isOf(form) } ?? false : !trial.shape.isOf(form)
    guard !isRefused, let value else { throw refusal(type) }
    return value
  }

  func refusal(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "refused"))
  }

  /// Whether the trial has no list or mapping here.
  fileprivate func refuses(_ shape: Shape) -> Bool {
    isPart ? trial.refused == shape : trial.shape != shape
  }
}

/// The keys of a mapping that may be left out, because somebody asked whether they are there.
final class Questions {
  var names: Set<String> = []
}

extension DescribingDecoder: Decoder {
  var userInfo: [CodingUserInfoKey: Any] { description.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    notes.openMapping(trial)
    guard !refuses(.mapping) else { throw refusal(type) }
    return KeyedDecodingContainer(DescribingKeyedContainer<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let items = notes.openList()
    guard !refuses(.list) else { throw refusal([String].self) }
    return DescribingUnkeyedContainer(self, items)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension DescribingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
  func decode(_ type: Bool.Type) throws -> Bool { try scalar(.boolean, .boolean, true) }
  func decode(_ type: String.Type) throws -> String { try scalar(.text, .text, "x") }
  func decode(_ type: Double.Type) throws -> Double { try scalar(.number, .number, 1) }
  func decode(_ type: Float.Type) throws -> Float { try scalar(.number, .number, 1) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer() }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    let bounds = Int(clamping: Number.min)...Int(clamping: Number.max)
    return try scalar(.integer(in: bounds), .integer, 1)
  }

  private func scalar<Value>(_ form: ValueForm, _ shape: Shape, _ value: Value) throws -> Value {
    notes.add(form)
    guard !refuses(shape) else { throw refusal(Value.self) }
    return value
  }
}
