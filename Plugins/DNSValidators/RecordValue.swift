internal import ProbeCore

/// The expected data of a record, as a person writes it.
struct RecordValue {
  let text: String
  private let address: IPAddress?
  private let words: [Substring]

  /// The types whose data has host names or hexadecimal numbers, in which case does not matter.
  private static let typesWithoutCase: Set<String> = [
    "NS", "CNAME", "DNAME", "PTR", "MX", "SRV", "SOA", "RP", "AFSDB", "KX", "SVCB", "HTTPS", "NSEC", "DS",
    "CDS",
    "TLSA", "SMIMEA", "SSHFP", "LOC", "EUI48", "EUI64",
  ]

  init(_ text: String) {
    self.text = text
    address = IPAddress(text)
    words = Self.words(text)
  }

  /// Whether the data of a record is equal, however addresses and names are written; quotes around the
  /// strings of a TXT record, and a dot at the end of names, do not matter.
  func equals(_ record: DNSRecord) -> Bool {
    if record.type == "A" || record.type == "AAAA" {
      return address != nil && IPAddress(record.data) == address
    }
    if record.data == text { return true }
    if record.data.first == "\"" { return Self.strings(record.data) == text }
    let ignoresCase = Self.typesWithoutCase.contains(record.type)
    return Self.words(record.data).elementsEqual(words) { left, right in
      ignoresCase ? left.lowercased() == right.lowercased() : left == right
    }
  }

  /// The words, without the dots at their ends.
  private static func words(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace).map { word in
      word.count > 1 && word.last == "." ? word.dropLast() : word
    }
  }

  /// The contents of quoted strings, one after the other (RFC 7208 §3.3), without the escapes of zone files.
  private static func strings(_ data: String) -> String {
    var bytes: [UInt8] = []
    var rest = data.utf8[...]
    var isInside = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): isInside.toggle()
      case UInt8(ascii: "\\"):
        let digits = rest.prefix(3).filter(\.isASCIIDigit)
        if digits.count == 3, let number = UInt8(String(decoding: digits, as: UTF8.self)) {
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

extension UInt8 {
  fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
