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
