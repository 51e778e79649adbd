import FuzzSupport
import ProbeCore
@testable import ProbeStreams

/// Any bytes as a response of a DNS server, and as the data of a record that a user wrote.
///
/// The first byte is the type of the record. The flags and counts of the header follow, and everything after
/// the question; the ID and the question are those of the query, so that the rest is parsed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDNS(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard bytes.count > 11, let any = RecordType("ANY"), let query = try? DNSQuery(name: "a.example", type: any)
  else { return 0 }
  let question: [UInt8] = [1, 0x61, 7] + Array("example".utf8) + [0, 0, 255, 0, 1]
  checkWork(of: count) {
    check([0, 7] + bytes[1..<11] + question + bytes[11...], query)
    check(bytes, query)
    let type = RecordType("TYPE\(bytes[0])")?.description ?? "A"
    let text = String(decoding: bytes[1...], as: UTF8.self)
    if let data = RecordData(text, type: type) { precondition(data == RecordData(text, type: type)) }
  }
  return 0
}

private func check(_ message: [UInt8], _ query: DNSQuery) {
  guard let response = try? DNSResponse(message, to: query, id: 7) else { return }
  let lines = response.text.split(separator: "\n", omittingEmptySubsequences: false)
  precondition(lines.count == response.facts.answer.count + 1, "\(lines.count) lines")
  for record in response.facts.answer + response.facts.authority + response.facts.additional {
    // Characters that are not allowed in zone files are escaped.
    precondition(record.description.utf8.allSatisfy { $0 == 9 || (0x20...0x7E).contains($0) }, "\(record)")
    precondition(!record.name.isEmpty && !record.type.isEmpty && record.timeToLive >= .zero, "\(record)")
    if let data = RecordData(record.data, type: record.type) {
      precondition(data == RecordData(record.data, type: record.type), "\(record)")
    }
  }
}

/// libldns 1.8 leaks the data of a field if the record around it is cut, so LeakSanitizer ignores that function.
@_cdecl("__lsan_default_suppressions")
public func ignoredLeaks() -> UnsafePointer<UInt8> {
  let leaks: StaticString = "leak:ldns_rdf_new_frm_data\n"
  return unsafe leaks.utf8Start
}
