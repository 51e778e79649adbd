import FixtureReplay
import ProbeCore

/// Splits a file of a web archive into records.
protocol ArchiveRecords {
  /// The bytes of the file.
  var bytes: RecordingBytes { get }

  /// The next record, or nil after the last one.
  ///
  /// - Throws: ``InvalidInput`` if it cannot be read; then no later record can be read either.
  mutating func next() throws(InvalidInput) -> ArchiveRecord?
}

/// A record of a WARC file, or of an ARC file, whose line is translated to the fields of WARC.
struct ArchiveRecord {
  /// The record number, counted from 1.
  var number: Int
  /// The offset of the record in the decompressed file.
  var offset: Int
  /// The format and its version, such as `WARC 1.0` or `ARC 2`.
  var format: String
  /// The named fields, with names in lower case.
  var fields: [(name: String, value: String)]
  /// The content; empty if it is too long.
  var block: [UInt8] = []
  /// The length of what is before the content.
  var headerLength = 0
  /// Whether the content is longer than a file of a fixture can be.
  var isTooLong = false

  /// The maximum length of the header in bytes.
  static let maximumHeaderLength = 1 << 20

  /// A record that starts at the next byte.
  init(number: Int, format: String, at bytes: RecordingBytes) {
    self.number = number
    self.format = format
    offset = bytes.offset
    fields = []
  }

  /// The value of the first field with this lower-case name.
  func value(of name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The values of all fields with this lower-case name.
  func values(of name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value)
  }

  /// The record type in lower case, such as `response`; empty if there is none, `filedesc` for the description of an ARC
  /// file.
  var type: String { value(of: "warc-type")?.lowercased() ?? "" }

  /// The record's name in a message.
  var location: String { "record \(number) at byte \(offset)" }
}

/// Splits a WARC 1.0 or 1.1 file into records (ISO 28500:2017 §4).
///
/// A file of version 0.18 is accepted too: this draft, which early programs wrote, has the same syntax.
struct WARCRecords: ArchiveRecords {
  private(set) var bytes: RecordingBytes
  private var count = 0

  init(_ bytes: RecordingBytes) {
    self.bytes = bytes
  }

  mutating func next() throws(InvalidInput) -> ArchiveRecord? {
    bytes.skipLineEnds()
    // More than a message about an unknown start shows.
    let start = bytes.peek(200)
    guard !start.isEmpty else { return nil }
    count += 1
    var record = ArchiveRecord(number: count, format: "", at: bytes)
    guard start.starts(with: "WARC/".utf8) else {
      throw InvalidInput(
        "\(record.location) begins with \(Excerpt(start.prefix { $0 != 0x0A }, limit: 30)), not with WARC/",
        remedy: count == 1 ? nil : "check the Content-Length of record \(count - 1)")
    }
    let version = String(decoding: try bytes.takeLine(of: record).dropFirst(5), as: UTF8.self)
    guard ["1.0", "1.1", "0.18"].contains(version) else {
      throw InvalidInput(
        "\(record.location) has the unknown WARC version \(Excerpt(version, limit: 20))",
        remedy: "use WARC 1.0 or 1.1")
    }
    record.format = "WARC \(version)"
    record.fields = try fields(of: record)
    guard let length = record.value(of: "content-length") else {
      throw InvalidInput("\(record.location) has no Content-Length")
    }
    try bytes.takeBlock(of: &record, length, "Content-Length")
    return record
  }

  private mutating func fields(
    of record: ArchiveRecord
  ) throws(InvalidInput) -> [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    while true {
      let line = try bytes.takeLine(of: record)
      if line.isEmpty { return fields }
      if line.first?.isFieldSpace == true {
        guard !fields.isEmpty else {
          throw InvalidInput("\(record.location): the header begins with a continuation line")
        }
        fields[fields.count - 1].value += " " + Self.text(line[...])
        continue
      }
      guard let colon = line.firstIndex(of: 0x3A) else {
        throw InvalidInput("\(record.location): a header line has no colon: \(Excerpt(line))")
      }
      fields.append((Self.text(line[..<colon]).lowercased(), Self.text(line[(colon + 1)...])))
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.trimming(where: \.isSpaceInC), as: UTF8.self)
  }
}

extension RecordingBytes {
  /// Takes the next line of a record's header.
  ///
  /// - Returns: The line, without its end.
  /// - Throws: ``InvalidInput`` if it has no end, or the header is too long.
  mutating func takeLine(of record: ArchiveRecord) throws(InvalidInput) -> [UInt8] {
    let limit = max(0, ArchiveRecord.maximumHeaderLength - (offset - record.offset))
    if let line = takeLine(limit: limit) { return line }
    if peek(limit + 1).count > limit {
      throw InvalidInput(
        "\(record.location): the header has more than \(ArchiveRecord.maximumHeaderLength >> 20) MiB")
    }
    throw InvalidInput(
      "\(record.location): the file ends in the header", remedy: "the file may be incomplete; save it again")
  }

  /// Takes the content of a record, and keeps it if it is not too long.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - text: The length of the content.
  ///   - name: The name of the field with the length.
  /// - Throws: ``InvalidInput`` if the length is not a number, or there are fewer bytes.
  mutating func takeBlock(of record: inout ArchiveRecord, _ text: String, _ name: String) throws(InvalidInput)
  {
    guard let length = Int(text: text), length >= 0 else {
      throw InvalidInput("\(record.location): \(name) is \(Excerpt(text)), not a number")
    }
    record.headerLength = offset - record.offset
    record.isTooLong = length > FixtureLoader.maximumFileLength
    let (block, count) = take(length, keep: !record.isTooLong)
    guard count == length else {
      throw InvalidInput(
        "\(record.location): \(name) is \(length), but the file ends \(count) bytes after the header",
        remedy: "the file may be incomplete; save it again")
    }
    record.block = block
  }
}

/// Splits an ARC file, the format of the Internet Archive before WARC, into records ("Arc File Format", versions
/// 1 and 2).
///
/// A record is a line of words, the last of which is the length of the content, and the content: a response as
/// received. The first record describes the file, and has the names of the words in the third line of the file.
struct ARCRecords: ArchiveRecords {
  private static let start = "filedesc://"

  private(set) var bytes: RecordingBytes
  private var count = 0
  private var format = "ARC 1"
  /// The number of words in the line of a record; 5 in version 1.
  private var wordCount = 5

  init(_ bytes: RecordingBytes) {
    self.bytes = bytes
  }

  /// Whether bytes begin like an ARC file.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: start.utf8) }

  mutating func next() throws(InvalidInput) -> ArchiveRecord? {
    bytes.skipLineEnds()
    guard !bytes.peek(1).isEmpty else { return nil }
    count += 1
    var record = ArchiveRecord(number: count, format: format, at: bytes)
    let line = try bytes.takeLine(of: record)
    let words = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    let describesFile = line.starts(with: Self.start.utf8)
    // Old programs wrote URLs with spaces as they are.
    guard let length = words.last, words.count >= (describesFile ? 2 : wordCount) else {
      throw InvalidInput(
        "\(record.location) begins with \(Excerpt(line, limit: 30)), not with the \(wordCount) words of a record",
        remedy: count == 1 ? nil : "check the length of record \(count - 1)")
    }
    try bytes.takeBlock(of: &record, length, "its length")
    if describesFile {
      try readDescription(of: &record)
      return record
    }
    let urlCount = words.count - wordCount + 1
    record.fields = [
      ("warc-type", "response"), ("content-type", "application/http; msgtype=response"),
      ("warc-target-uri", words.prefix(urlCount).joined(separator: "%20")),
    ]
    // Programs that did not know the address wrote this one.
    if words[urlCount] != "0.0.0.0" { record.fields.append(("warc-ip-address", words[urlCount])) }
    return record
  }

  private mutating func readDescription(of record: inout ArchiveRecord) throws(InvalidInput) {
    let lines = record.block.split(separator: 0x0A)
    let version = String(decoding: (lines.first ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
    guard version == "1" || version == "2" else {
      throw InvalidInput(
        "\(record.location) has the unknown ARC version \(Excerpt(version, limit: 20))",
        remedy: "use ARC 1 or 2")
    }
    format = "ARC \(version)"
    let names = lines.dropFirst().first?.split { $0 <= 0x20 }.count ?? 0
    // A record has at least a URL, an address and a length. Without all their names, it has the words of its version.
    wordCount = names >= 3 ? names : version == "1" ? 5 : 10
    record.format = format
    record.fields = [("warc-type", "filedesc")]
  }
}
