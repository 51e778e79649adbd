internal import CProbeLDNS

/// The data of a record, parsed from the text form of zone files.
@safe package struct RecordData {
  private let record: ParsedRecord

  /// Parses data; nil if it is invalid for records of the type.
  ///
  /// Names in it are absolute, with or without a trailing dot.
  ///
  /// - Parameters:
  ///   - text: The data, such as `10 mail.example.com`.
  ///   - type: The type of the record.
  package init?(_ text: String, type: String) {
    guard !text.utf8.contains(0), !text.utf8.contains(0x0A),
      let record = ParsedRecord(". 0 IN \(type) \(text)")
    else { return nil }
    self.record = record
  }
}

extension RecordData: Equatable {
  /// Whether both are equal on the wire, ignoring the case of host names (RFC 4034 §6.2).
  package static func == (left: RecordData, right: RecordData) -> Bool {
    unsafe ldns_rr_compare(left.record.pointer, right.record.pointer) == 0
  }
}

/// A record in the library's form.
@safe private final class ParsedRecord {
  let pointer: UnsafeMutablePointer<ldns_rr>

  init?(_ line: String) {
    guard let root = try? Name(".") else { return nil }
    var record: UnsafeMutablePointer<ldns_rr>?
    let status = unsafe ldns_rr_new_frm_str(&record, line, 0, root.data, nil)
    guard status == LDNS_STATUS_OK, let record = unsafe record else { return nil }
    unsafe ldns_rr2canonical(record)
    unsafe pointer = record
  }

  deinit {
    unsafe ldns_rr_free(pointer)
  }
}
