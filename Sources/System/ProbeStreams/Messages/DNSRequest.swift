internal import CProbeLDNS
package import ProbeBase

/// A query received by a DNS server, and the responses to it.
package struct DNSRequest: Hashable, Sendable {
  /// The requested host in the form of a URL's host, in lower case, without a trailing dot.
  package let host: String
  package let type: RecordType
  /// Whether the request is of the Internet class, and of a kind that this server supports.
  package let isForInternet: Bool
  private let bytes: [UInt8]

  /// Parses a query.
  ///
  /// - Parameter bytes: The message.
  /// - Throws: ``LDNSError`` if it is not a valid query with one question, and must not be answered.
  package init(_ bytes: [UInt8]) throws(LDNSError) {
    let packet = try DNSPacket(bytes)
    guard unsafe !ldns_pkt_qr(packet.pointer) else { throw LDNSError("it is a response, not a query") }
    guard let question = unsafe packet.onlyQuestion, let owner = unsafe ldns_rr_owner(question) else {
      throw LDNSError("it does not have exactly one question")
    }
    let name = unsafe takeText(ldns_rdf2str(owner))
    host = (name.hasSuffix(".") ? String(name.dropLast()) : name).lowercased()
    type = unsafe RecordType(ldns_rr_get_type(question))
    isForInternet =
      unsafe ldns_pkt_get_opcode(packet.pointer) == LDNS_PACKET_QUERY
      && ldns_rr_get_class(question) == LDNS_RR_CLASS_IN
    self.bytes = bytes
  }

  /// The response on the wire, with the question as received, and EDNS if the query has it.
  ///
  /// - Parameters:
  ///   - code: The response code.
  ///   - addresses: The addresses in the answer's A and AAAA records, whose time to live is 0, so that no
  ///     client caches them.
  /// - Returns: Its bytes.
  /// - Throws: ``LDNSError`` for lack of memory.
  package func response(_ code: DNSResponseCode, _ addresses: [IPAddress] = []) throws(LDNSError) -> [UInt8] {
    let query = try DNSPacket(bytes)
    let packet = try unsafe DNSPacket(ldns_pkt_new())
    guard let question = unsafe query.onlyQuestion else { throw LDNSError("it has no question") }
    try unsafe packet.push(ldns_rr_clone(question), LDNS_SECTION_QUESTION)
    unsafe ldns_pkt_set_id(packet.pointer, ldns_pkt_id(query.pointer))
    unsafe ldns_pkt_set_opcode(packet.pointer, ldns_pkt_get_opcode(query.pointer))
    unsafe ldns_pkt_set_qr(packet.pointer, true)
    unsafe ldns_pkt_set_rd(packet.pointer, ldns_pkt_rd(query.pointer))
    unsafe ldns_pkt_set_ra(packet.pointer, true)
    unsafe ldns_pkt_set_rcode(packet.pointer, UInt8(truncatingIfNeeded: code.rawValue & 0xF))
    if unsafe ldns_pkt_edns(query.pointer) {
      unsafe ldns_pkt_set_edns_udp_size(packet.pointer, DNSQuery.maximumDatagramSize)
    }
    for address in addresses {
      guard let record = unsafe ldns_rr_new() else { throw LDNSError(LDNS_STATUS_MEM_ERR) }
      let isV4 = address.family == .v4
      unsafe ldns_rr_set_owner(record, ldns_rdf_clone(ldns_rr_owner(question)))
      unsafe ldns_rr_set_type(record, isV4 ? LDNS_RR_TYPE_A : LDNS_RR_TYPE_AAAA)
      unsafe ldns_rr_set_class(record, LDNS_RR_CLASS_IN)
      unsafe ldns_rr_set_ttl(record, 0)
      let data = unsafe ldns_rdf_new_frm_str(
        isV4 ? LDNS_RDF_TYPE_A : LDNS_RDF_TYPE_AAAA, address.description)
      unsafe ldns_rr_push_rdf(record, data)
      try unsafe packet.push(record, LDNS_SECTION_ANSWER)
    }
    return try packet.bytes()
  }
}

extension DNSPacket {
  /// The only question of the message, which owns it, or nil.
  fileprivate var onlyQuestion: UnsafeMutablePointer<ldns_rr>? {
    let questions = unsafe ldns_pkt_question(pointer)
    guard unsafe ldns_rr_list_rr_count(questions) == 1 else { return nil }
    return unsafe ldns_rr_list_rr(questions, 0)
  }

  /// Adds a record, which the packet owns from then on.
  fileprivate func push(
    _ record: UnsafeMutablePointer<ldns_rr>?, _ section: ldns_pkt_section
  ) throws(LDNSError) {
    guard let record = unsafe record, unsafe ldns_pkt_push_rr(pointer, section, record) else {
      throw LDNSError(LDNS_STATUS_MEM_ERR)
    }
  }
}
