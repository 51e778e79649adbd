internal import CProbeLDNS
package import ProbeBase

/// A question to a DNS server, and its message.
package struct DNSQuery: Hashable, Sendable {
  /// The name, with a trailing dot.
  package let name: String
  package let type: RecordType
  package let recordClass: RecordClass
  /// Whether to request recursion (RD).
  package var recursion = true
  /// Whether to request DNSSEC records (DO, RFC 3225).
  package var dnssec = false
  /// The maximum size in bytes of a UDP response that is not fragmented on typical paths.
  static let maximumDatagramSize: UInt16 = 1232

  /// A question.
  ///
  /// - Parameters:
  ///   - name: The name in the text form of zone files, with `\.` and `\DDD` for unusual bytes (RFC 1035
  ///     §5.1); it is absolute, with or without a trailing dot.
  ///   - type: The type of the records.
  ///   - recordClass: The class of the records.
  /// - Throws: ``LDNSError`` if the name is not valid.
  package init(name: String, type: RecordType, recordClass: RecordClass = .internet) throws(LDNSError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw LDNSError("the name is empty or contains a zero byte")
    }
    let read = try Name(name)
    self.name = read.text
    self.type = type
    self.recordClass = recordClass
  }

  /// The name for the reverse lookup of an address (RFC 1035 §3.5, RFC 3596 §2.5).
  ///
  /// - Throws: ``LDNSError`` for lack of memory.
  package static func reverseName(of address: IPAddress) throws(LDNSError) -> String {
    let kind = address.family == .v4 ? LDNS_RDF_TYPE_A : LDNS_RDF_TYPE_AAAA
    guard let data = unsafe ldns_rdf_new_frm_str(kind, address.description) else {
      throw LDNSError(LDNS_STATUS_MEM_ERR)
    }
    defer { unsafe ldns_rdf_deep_free(data) }
    guard let reverse = unsafe ldns_rdf_address_reverse(data) else { throw LDNSError(LDNS_STATUS_MEM_ERR) }
    defer { unsafe ldns_rdf_deep_free(reverse) }
    return unsafe takeText(ldns_rdf2str(reverse))
  }
}

extension DNSQuery {
  /// The message on the wire, with EDNS (RFC 6891).
  ///
  /// - Parameter id: The ID that the response repeats.
  /// - Returns: Its bytes.
  /// - Throws: ``LDNSError`` for lack of memory.
  package func message(id: UInt16) throws(LDNSError) -> [UInt8] {
    let name = try Name(self.name)
    guard let clone = unsafe ldns_rdf_clone(name.data) else { throw LDNSError(LDNS_STATUS_MEM_ERR) }
    let flags = recursion ? UInt16(LDNS_RD) : 0
    guard let message = unsafe ldns_pkt_query_new(clone, type.type, recordClass.value, flags) else {
      unsafe ldns_rdf_deep_free(clone)
      throw LDNSError(LDNS_STATUS_MEM_ERR)
    }
    // It owns the name.
    let packet = try unsafe DNSPacket(message)
    unsafe ldns_pkt_set_id(message, id)
    unsafe ldns_pkt_set_edns_udp_size(message, Self.maximumDatagramSize)
    unsafe ldns_pkt_set_edns_do(message, dnssec)
    // Signals that the client understands the flag in responses (RFC 6840 §5.7).
    unsafe ldns_pkt_set_ad(message, true)
    return try packet.bytes()
  }
}

/// A name in the library's form.
@safe final class Name {
  let data: UnsafeMutablePointer<ldns_rdf>

  init(_ text: String) throws(LDNSError) {
    var data: UnsafeMutablePointer<ldns_rdf>?
    let status = unsafe ldns_str2rdf_dname(&data, text)
    guard status == LDNS_STATUS_OK, let data = unsafe data else { throw LDNSError(status) }
    unsafe self.data = data
  }

  deinit {
    unsafe ldns_rdf_deep_free(data)
  }

  var text: String { unsafe takeText(ldns_rdf2str(data)) }
}
