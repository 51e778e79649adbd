internal import CProbeLDNS
internal import Glibc

/// The type of a DNS record.
package struct RecordType: Hashable, Sendable {
  package let number: UInt16

  /// The type with a name such as `MX`, in any case, or `TYPE15`; nil for an unknown name.
  package init?(_ name: String) {
    let type = unsafe ldns_get_rr_type_by_name(name)
    guard type.rawValue != 0, type.rawValue <= 0xFFFF, !name.utf8.contains(0) else { return nil }
    number = UInt16(truncatingIfNeeded: type.rawValue)
  }

  init(_ type: ldns_rr_type) {
    number = UInt16(truncatingIfNeeded: type.rawValue)
  }

  var type: ldns_rr_type { ldns_rr_type(rawValue: UInt32(truncatingIfNeeded: number)) }

  /// An IPv4 address.
  package static let a = RecordType(LDNS_RR_TYPE_A)
  /// An IPv6 address.
  package static let aaaa = RecordType(LDNS_RR_TYPE_AAAA)
  /// Any type, in a question (RFC 8482).
  package static let any = RecordType(LDNS_RR_TYPE_ANY)
  /// Whether the type requests a zone transfer rather than records.
  package var isTransfer: Bool { type == LDNS_RR_TYPE_AXFR || type == LDNS_RR_TYPE_IXFR }
}

extension RecordType: CustomStringConvertible {
  /// The name, such as `MX`, or `TYPE65534` if it has none.
  package var description: String { unsafe takeText(ldns_rr_type2str(type)) }
}

package struct RecordClass: Hashable, Sendable {
  let number: UInt16

  /// The class with a name such as `IN` or `CH`, in any case; nil for an unknown name.
  package init?(_ name: String) {
    let found = unsafe ldns_get_rr_class_by_name(name)
    guard found.rawValue != 0, found.rawValue <= 0xFFFF, !name.utf8.contains(0) else { return nil }
    number = UInt16(truncatingIfNeeded: found.rawValue)
  }

  private init(_ found: ldns_rr_class) {
    number = UInt16(truncatingIfNeeded: found.rawValue)
  }

  var value: ldns_rr_class { ldns_rr_class(rawValue: UInt32(truncatingIfNeeded: number)) }

  package static let internet = RecordClass(LDNS_RR_CLASS_IN)
}

/// A text of the library, which is freed; empty for none.
func takeText(_ text: UnsafeMutablePointer<CChar>?) -> String {
  guard let text = unsafe text else { return "" }
  defer { unsafe free(text) }
  return unsafe String(cString: text)
}

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
