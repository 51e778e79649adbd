import ProbeCore

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
  /// The number of words in the line of a record.
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
    wordCount = names >= 3 ? names : version == "1" ? 5 : 10
    record.format = format
    record.fields = [("warc-type", "filedesc")]
  }
}
