import ProbeCore

/// Receives the fields of a JSON object, so that a record lists its fields once for every way to write it.
protocol FieldSink {
  associatedtype Failure: Error

  mutating func field(_ name: StaticString, _ value: String?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: Int?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: Double?) throws(Failure)
  mutating func field(_ name: StaticString, _ value: [String]) throws(Failure)
  mutating func field(_ name: StaticString, _ value: [String: String]) throws(Failure)
  mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) throws(Failure)
  mutating func field(_ name: StaticString, _ records: [some FieldRecord]) throws(Failure)
}

/// A JSON object with fixed fields.
protocol FieldRecord: Encodable {
  /// Passes on each field, with null for an unknown value.
  func write<Sink: FieldSink>(to sink: inout Sink) throws(Sink.Failure)
}

extension FieldRecord {
  func encode(to encoder: any Encoder) throws {
    var fields = EncodedFields(container: encoder.container(keyedBy: FieldName.self))
    try write(to: &fields)
  }
}

/// The name of a field.
private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: StaticString) { stringValue = name.description }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Fields for an encoder.
private struct EncodedFields: FieldSink {
  var container: KeyedEncodingContainer<FieldName>

  mutating func field(_ name: StaticString, _ value: String?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: Int?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: Double?) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: [String]) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ value: [String: String]) throws { try encode(name, value) }
  mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) throws { try encode(name, record) }
  mutating func field(_ name: StaticString, _ records: [some FieldRecord]) throws {
    try encode(name, records)
  }

  private mutating func encode(_ name: StaticString, _ value: some Encodable) throws {
    try container.encode(value, forKey: FieldName(name))
  }
}

/// Fields as JSON text on one line, in the order in which they are passed on; many times as fast as an encoder.
///
/// Like ``JSONText/line(_:)``, the text is safe to show on a terminal.
struct FieldText: FieldSink {
  /// Larger than most lines.
  private static let usualSize = 1024

  private var bytes: [UInt8] = []

  /// The text of a record, with a line break.
  static func line(_ record: some FieldRecord) -> [UInt8] {
    var text = FieldText()
    text.bytes.reserveCapacity(usualSize)
    text.add(record)
    text.bytes.append(UInt8(ascii: "\n"))
    return text.bytes
  }

  mutating func field(_ name: StaticString, _ value: String?) {
    begin(name)
    if let value { add(quoted: value) } else { add("null") }
  }

  mutating func field(_ name: StaticString, _ value: Int?) {
    begin(name)
    guard let value else { return add("null") }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    add(value.magnitude)
  }

  mutating func field(_ name: StaticString, _ value: Double?) {
    begin(name)
    // JSON has no other numbers (RFC 8259 §6).
    if let value, value.isFinite { bytes += value.description.utf8 } else { add("null") }
  }

  mutating func field(_ name: StaticString, _ value: [String]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, text) in value.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      add(quoted: text)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func field(_ name: StaticString, _ value: [String: String]) {
    begin(name)
    bytes.append(UInt8(ascii: "{"))
    for (key, text) in value.count > 1 ? value.sorted(by: { $0.key < $1.key }) : Array(value) {
      separate()
      add(quoted: key)
      bytes.append(UInt8(ascii: ":"))
      add(quoted: text)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  mutating func field(_ name: StaticString, _ record: (some FieldRecord)?) {
    begin(name)
    if let record { add(record) } else { add("null") }
  }

  mutating func field(_ name: StaticString, _ records: [some FieldRecord]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (index, record) in records.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      add(record)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension FieldText {
  private mutating func begin(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    add(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// A comma, except at the start of an object.
  private mutating func separate() {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func add(_ text: StaticString) {
    unsafe bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  private mutating func add(_ number: UInt) {
    if number >= 10 { add(number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  private mutating func add(_ record: some FieldRecord) {
    bytes.append(UInt8(ascii: "{"))
    record.write(to: &self)
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func add(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes += text.utf8
    let isPlain = bytes[start...].allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if !isPlain {
      bytes.replaceSubrange(start..., with: String(jsonForDisplay: Array(text.escapedInJSON.utf8)).utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
