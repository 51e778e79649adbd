internal import CProbeLDNS
internal import Glibc

/// A message in the library's form.
@safe final class DNSPacket {
  let pointer: UnsafeMutablePointer<ldns_pkt>

  /// Parses a message.
  init(_ bytes: [UInt8]) throws(LDNSError) {
    var packet: UnsafeMutablePointer<ldns_pkt>?
    let status = unsafe bytes.withUnsafeBufferPointer {
      unsafe ldns_wire2pkt(&packet, $0.baseAddress, $0.count)
    }
    guard status == LDNS_STATUS_OK, let packet = unsafe packet else { throw LDNSError(status) }
    unsafe pointer = packet
  }

  /// A message that the library created, or nil for lack of memory.
  init(_ packet: UnsafeMutablePointer<ldns_pkt>?) throws(LDNSError) {
    guard let packet = unsafe packet else { throw LDNSError(LDNS_STATUS_MEM_ERR) }
    unsafe pointer = packet
  }

  deinit {
    unsafe ldns_pkt_free(pointer)
  }

  /// The message on the wire.
  func bytes() throws(LDNSError) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = unsafe ldns_pkt2wire(&bytes, pointer, &count)
    defer { unsafe free(bytes) }
    guard status == LDNS_STATUS_OK, let bytes = unsafe bytes else { throw LDNSError(status) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// The reason why a message or a name is invalid.
package struct LDNSError: Error, Hashable, Sendable {
  /// The reason, as text to follow a colon.
  package let words: String

  init(_ words: String) {
    self.words = words
  }

  init(_ status: ldns_status) {
    words =
      unsafe ldns_get_errorstr_by_id(status).map { unsafe String(cString: $0) } ?? "error \(status.rawValue)"
  }
}

/// The library.
package enum LDNS {
  /// The version of libldns that is running.
  package static var libraryVersion: String { unsafe String(cString: ldns_version()) }
}
