internal import CProbeLDNS
package import ProbeBase

/// A response to a ``DNSQuery``.
package struct DNSResponse: Hashable, Sendable {
  /// Whether the server omitted records that did not fit (TC).
  package var isTruncated = false
  package var facts: DNSFacts

  /// The answer in the text form of zone files, one line for each record.
  package var text: String { facts.answer.map { "\($0)\n" }.joined() }

  /// Parses a response.
  ///
  /// - Parameters:
  ///   - bytes: The message.
  ///   - query: The question.
  ///   - id: The ID of the query's message.
  /// - Throws: ``LDNSError`` if it is not valid, or not a response to this question.
  package init(_ bytes: [UInt8], to query: DNSQuery, id: UInt16) throws(LDNSError) {
    let packet = try DNSPacket(bytes)
    guard unsafe ldns_pkt_qr(packet.pointer) else { throw LDNSError("it is a query, not a response") }
    guard unsafe ldns_pkt_id(packet.pointer) == id else { throw LDNSError("its ID is not that of the query") }
    facts = DNSFacts(name: query.name, type: query.type.description, code: packet.code)
    try packet.check(query, code: facts.code)
    isTruncated = unsafe ldns_pkt_tc(packet.pointer)
    facts.isAuthoritative = unsafe ldns_pkt_aa(packet.pointer)
    facts.isAuthenticated = unsafe ldns_pkt_ad(packet.pointer)
    facts.offersRecursion = unsafe ldns_pkt_ra(packet.pointer)
    facts.answer = unsafe Self.records(ldns_pkt_answer(packet.pointer))
    facts.authority = unsafe Self.records(ldns_pkt_authority(packet.pointer))
    facts.additional = unsafe Self.records(ldns_pkt_additional(packet.pointer))
  }

  private static func records(_ list: UnsafeMutablePointer<ldns_rr_list>?) -> [DNSRecord] {
    let count = unsafe ldns_rr_list_rr_count(list)
    return (0..<count).compactMap { index in
      unsafe ldns_rr_list_rr(list, index).flatMap { unsafe record($0) }
    }
  }

  private static func record(_ record: UnsafeMutablePointer<ldns_rr>) -> DNSRecord? {
    // Without the comments that it adds to some types.
    var format = unsafe ldns_output_format(flags: 0, data: nil)
    let line = unsafe takeText(ldns_rr2str_fmt(&format, record))
    // Tabs inside names are escaped; data has spaces, or tabs in a few types.
    let fields = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false)
    guard fields.count >= 4 else { return nil }
    let data = fields.count == 5 ? fields[4].prefix { $0 != "\n" } : ""
    return DNSRecord(
      name: String(fields[0]), timeToLive: unsafe .seconds(Int64(widening: ldns_rr_ttl(record))),
      recordClass: String(fields[2]), type: String(fields[3].prefix { $0 != "\n" }), data: String(data))
  }
}

extension DNSResponse {
  /// Whether bytes are the beginning of a response to a query with an ID that has been truncated (RFC 1035
  /// §4.1.1).
  ///
  /// Some servers truncate such a response in the middle of a record, so that it cannot be parsed.
  package static func isTruncated(_ bytes: [UInt8], id: UInt16) -> Bool {
    bytes.count >= 12 && UInt16(widening: bytes[0]) << 8 | UInt16(widening: bytes[1]) == id
      && bytes[2] & 0x82 == 0x82
  }
}

extension DNSPacket {
  fileprivate var code: DNSResponseCode {
    let high =
      unsafe ldns_pkt_edns(pointer)
      ? UInt16(truncatingIfNeeded: ldns_pkt_edns_extended_rcode(pointer)) << 4 : 0
    return unsafe DNSResponseCode(
      rawValue: high | UInt16(truncatingIfNeeded: ldns_pkt_get_rcode(pointer).rawValue))
  }

  /// Checks that the question is that of a query.
  ///
  /// A server that reports an error need not repeat the question (RFC 1035 §7.3).
  fileprivate func check(_ query: DNSQuery, code: DNSResponseCode) throws(LDNSError) {
    let questions = unsafe ldns_pkt_question(pointer)
    let count = unsafe ldns_rr_list_rr_count(questions)
    if count == 0, code != .noError, code != .noSuchName { return }
    let name = try Name(query.name)
    guard count == 1, let question = unsafe ldns_rr_list_rr(questions, 0),
      unsafe ldns_rr_get_type(question) == query.type.type,
      unsafe ldns_rr_get_class(question) == query.recordClass.value,
      let owner = unsafe ldns_rr_owner(question), unsafe ldns_dname_compare(owner, name.data) == 0
    else { throw LDNSError("its question is another one") }
  }
}
