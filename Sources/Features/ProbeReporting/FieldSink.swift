import ProbeCore

/// Receives the fields of a JSON object, so that a record lists its fields once for every way to write it.
package protocol FieldSink {
  associatedtype Failure: Error

  mutating func field(_ name: StaticString, _ value: String?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: Int?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: Double?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: Bool?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: [String]) throws(Failure)
  mutating func field(_ name: StaticString, _ value: [String: String]) throws(Failure)
  mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) throws(Failure)
  mutating func field(_ name: StaticString, _ records: [some FieldRecord]) throws(Failure)
}

/// A JSON object with fixed fields.
package protocol FieldRecord: Encodable {
  /// Passes on each field, with null for an unknown value.
  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure)
}

extension FieldRecord {
  package func encode(to encoder: any Encoder) throws {
    var fields = EncodedFields(container: encoder.container(keyedBy: OptionKey.self))
    try write(to: &fields)
  }
}

/// Fields for an encoder.
private struct EncodedFields: FieldSink {
  var container: KeyedEncodingContainer<OptionKey>

  mutating func field(_ name: StaticString, _ value: String?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: Int?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: Double?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: Bool?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: [String]) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: [String: String]) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) throws { try encode(name, record) }
  mutating func field(_ name: StaticString, _ records: [some FieldRecord]) throws {
    try encode(name, records)
  }

  private mutating func encode(_ name: StaticString, _ value: some Encodable) throws {
    try container.encode(value, forKey: OptionKey(stringValue: name.description))
  }
}

/// Records as JSON text on one line, with the fields in the order in which they are passed on; many times as fast as an
/// encoder.
package enum FieldText {
  /// Larger than most lines.
  private static let usualSize = 1024

  /// The text of a record, with a line break.
  ///
  /// Like ``JSONLine/text(_:)``, it is safe to show on a terminal.
  package static func line(_ record: some FieldRecord) -> [UInt8] {
    var json = JSONBytes(reserving: usualSize)
    json.object { record.write(to: &$0) }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

extension JSONBytes: FieldSink {
  package mutating func field(_ name: StaticString, _ value: String?) {
    plainName(name)
    text(forDisplay: value)
  }

  package mutating func field(_ name: StaticString, _ value: Int?) {
    plainName(name)
    number(value)
  }

  package mutating func field(_ name: StaticString, _ value: Double?) {
    plainName(name)
    number(value)
  }

  package mutating func field(_ name: StaticString, _ value: Bool?) {
    plainName(name)
    if let value { boolean(value) } else { null() }
  }

  package mutating func field(_ name: StaticString, _ value: [String]) {
    plainName(name)
    list(value) { $0.text(forDisplay: $1) }
  }

  package mutating func field(_ name: StaticString, _ value: [String: String]) {
    plainName(name)
    object { json in
      for (key, text) in value.count > 1 ? value.sorted(by: { $0.key < $1.key }) : Array(value) {
        json.name(forDisplay: key)
        json.text(forDisplay: text)
      }
    }
  }

  package mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) {
    plainName(name)
    if let record { object { record.write(to: &$0) } } else { null() }
  }

  package mutating func field(_ name: StaticString, _ records: [some FieldRecord]) {
    plainName(name)
    list(records) { json, record in json.object { record.write(to: &$0) } }
  }
}
