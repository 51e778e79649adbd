internal import ProbeCore
internal import ProbeStreams

/// The expected data of a record, as written in a pipeline file.
struct RecordValue {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether the data of a record is equal, regardless of its notation: any form of an address, names in any
  /// case or without the final dot, a TXT record without quotes.
  func equals(_ record: DNSRecord) -> Bool {
    if record.data == text { return true }
    if record.data.first == "\"", Self.strings(record.data) == text { return true }
    guard let expected = RecordData(text, type: record.type) else { return false }
    return expected == RecordData(record.data, type: record.type)
  }

  /// The contents of quoted strings, concatenated (RFC 7208 §3.3) and without the escapes of zone files.
  private static func strings(_ data: String) -> String {
    var bytes: [UInt8] = []
    var rest = data.utf8[...]
    var isInside = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): isInside.toggle()
      case UInt8(ascii: "\\"):
        if let number = UInt8(text: String(decoding: rest.prefix(3), as: UTF8.self)), rest.count >= 3 {
          bytes.append(number)
          rest = rest.dropFirst(3)
        } else if let next = rest.popFirst() {
          bytes.append(next)
        }
      default: if isInside { bytes.append(byte) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
