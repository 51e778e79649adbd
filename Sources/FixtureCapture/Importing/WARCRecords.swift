import ProbeCore

/// One record of a WARC file.
struct WARCRecord {
  /// The record number, counted from 1.
  var number: Int
  /// The offset of the record in the decompressed file.
  var offset: Int
  /// The WARC version, such as `1.0`.
  var version: String
  /// The named fields, with names in lower case.
  var fields: [(name: String, value: String)]
  /// The content.
  var block: ArraySlice<UInt8>

  /// The value of the first field with this lower-case name.
  func value(of name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The values of all fields with this lower-case name.
  func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The record type, such as `response`.
  var type: String { value(of: "warc-type")?.lowercased() ?? "" }

  /// The record's name in a message.
  var place: String { "record \(number) at byte \(offset)" }
}

/// Splits a WARC 1.0 or 1.1 file into records (ISO 28500:2017 §4).
struct WARCRecords {
  private var rest: ArraySlice<UInt8>
  private var count = 0

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next record, or nil after the last one.
  ///
  /// - Throws: ``InvalidInput`` if it cannot be read; then no later record can be read either.
  mutating func next() throws(InvalidInput) -> WARCRecord? {
    let behind = rest.drop { $0 == 0x0D || $0 == 0x0A }
    guard !behind.isEmpty else { return nil }
    count += 1
    var record = WARCRecord(number: count, offset: behind.startIndex, version: "", fields: [], block: [])
    guard behind.starts(with: "WARC/".utf8) else {
      throw InvalidInput(
        "\(record.place) begins with \(Excerpt(behind.prefix { $0 != 0x0A }, limit: 30)), not with WARC/",
        remedy: count == 1 ? nil : "check the Content-Length of record \(count - 1)")
    }
    rest = behind
    let version = try line(of: record).dropFirst(5)
    record.version = String(decoding: version, as: UTF8.self).escapedForDisplay
    guard record.version == "1.0" || record.version == "1.1" || record.version == "0.18" else {
      throw InvalidInput(
        "\(record.place) has the unknown WARC version \(Excerpt(record.version, limit: 20))",
        remedy: "use WARC 1.0 or 1.1")
    }
    record.fields = try fields(of: record)
    guard let length = record.value(of: "content-length") else {
      throw InvalidInput("\(record.place) has no Content-Length")
    }
    guard let length = Int(text: length), length >= 0 else {
      throw InvalidInput("\(record.place): Content-Length is \(Excerpt(length)), not a number")
    }
    guard length <= rest.count else {
      throw InvalidInput(
        "\(record.place): Content-Length is \(length), but the file ends \(rest.count) bytes after the header",
        remedy: "the file may be incomplete; save it again")
    }
    record.block = rest.prefix(length)
    rest = rest.dropFirst(length)
    return record
  }

  /// The next line, without its end.
  private mutating func line(of record: WARCRecord) throws(InvalidInput) -> ArraySlice<UInt8> {
    guard let end = rest.firstIndex(of: 0x0A) else {
      throw InvalidInput(
        "\(record.place): the file ends in the header", remedy: "the file may be incomplete; save it again")
    }
    defer { rest = rest[(end + 1)...] }
    let line = rest[..<end]
    return line.last == 0x0D ? line.dropLast() : line
  }

  private mutating func fields(
    of record: WARCRecord
  ) throws(InvalidInput) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    while true {
      let line = try line(of: record)
      if line.isEmpty { return fields }
      if line.first == 0x20 || line.first == 0x09 {
        guard !fields.isEmpty else {
          throw InvalidInput("\(record.place): the header begins with a continuation line")
        }
        fields[fields.count - 1].value += " " + Self.text(line)
        continue
      }
      guard let colon = line.firstIndex(of: 0x3A) else {
        throw InvalidInput("\(record.place): a header line has no colon: \(Excerpt(line))")
      }
      fields.append((Self.text(line[..<colon]).lowercased(), Self.text(line[(colon + 1)...])))
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let start = bytes.drop(while: \.isLineSpace)
    let end = start.lastIndex { !$0.isLineSpace }.map { $0 + 1 } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }
}
