import Validators
import Foundation
import ProbeCore
import Testing

private func record(_ type: String, _ data: String, _ seconds: Int = 300) -> DNSRecord {
  DNSRecord(name: "www.example.", timeToLive: .seconds(seconds), type: type, data: data)
}

private func response(
  _ type: String, _ records: [DNSRecord] = [], code: UInt16 = 0, authority: [DNSRecord] = [],
  isAuthenticated: Bool = false
) throws -> ProbeResponse {
  var response = ProbeResponse(url: try ProbeURL("dns://192.0.2.53/www.example?type=\(type)"))
  var dns = DNSFacts(name: "www.example.", type: type, code: DNSResponseCode(rawValue: code))
  dns.answer = records
  dns.authority = authority
  dns.isAuthenticated = isAuthenticated
  response.dns = dns
  return response
}

private func validator(_ json: String) throws -> RecordsValidator {
  try RecordsValidator(options: JSONDecoder().decode(RecordsValidator.Options.self, from: Data(json.utf8)))
}

@Suite struct RecordsValidatorTests {
  private static let addresses = [
    record("CNAME", "a.example."), record("A", "192.0.2.1"), record("A", "192.0.2.2", 60),
  ]

  @Test(arguments: [
    #""192.0.2.1""#, #"["192.0.2.2", "192.0.2.1"]"#,
    #"{"values": ["192.0.2.1", "192.0.2.2"], "exactly": true}"#,
    #"{"type": "cname", "values": "A.EXAMPLE"}"#, #"{"matches": "\\tA\\t192\\.0\\.2\\.2$"}"#,
    #"{"allMatch": {"pattern": "in\\ta\\t", "options": ["caseless"]}}"#, #"{"noneMatches": "CNAME"}"#,
    #"{"rcode": ["NXDOMAIN", "noerror"]}"#, #"{"ttl": {"min": "1m", "max": "5m"}}"#,
    #"{"authenticated": true}"#,
    #"{"type": "A"}"#,
  ])
  func accepts(_ options: String) throws {
    let found = try validator(options).validate(try response("A", Self.addresses, isAuthenticated: true))
    #expect(found.isAccepted, "\(String(describing: found.rejection))")
  }

  @Test(arguments: [
    (#""192.0.2.3""#, "expected the record \"192.0.2.3\", found \"192.0.2.1\", \"192.0.2.2\""),
    (
      #"{"values": "192.0.2.1", "exactly": true}"#,
      "expected no records but \"192.0.2.1\", found also \"192.0.2.2\""
    ),
    (
      #"{"type": "MX"}"#,
      "expected MX records in the answer section, found \"CNAME a.example.\", \"A 192.0.2.1\", \"A 192.0.2.2\""
    ),
    (#"{"section": "authority"}"#, "expected other records in the authority section, found none"),
    (
      #"{"matches": "AAAA"}"#,
      "expected a record that matches \"AAAA\", found \"www.example.\\t300\\tIN\\tA\\t192.0.2.1\""
    ),
    (
      #"{"allMatch": "2.1$"}"#,
      "expected only records that match \"2.1$\", found \"www.example.\\t60\\tIN\\tA\\t192.0.2.2\""
    ),
    (
      #"{"noneMatches": "2.2$"}"#,
      "expected no record that matches \"2.2$\", found \"www.example.\\t60\\tIN\\tA\\t192.0.2.2\""
    ),
    (#"{"rcode": "NXDOMAIN"}"#, "expected the response code NXDOMAIN, found NOERROR"),
    (#"{"ttl": {"min": "61s"}}"#, "expected a time to live of at least 61s, found 1m of \"192.0.2.2\""),
    (
      #"{"ttl": {"min": "1s", "max": "2m"}}"#,
      "expected a time to live of at least 1s and at most 2m, found 5m of \"192.0.2.1\""
    ),
    (#"{"authenticated": false}"#, "expected a response with the AD flag clear, found one with it set"),
  ])
  func rejects(_ options: String, _ message: String) throws {
    let rejection = try validator(options).validate(try response("A", Self.addresses, isAuthenticated: true))
      .rejection
    #expect(rejection?.description == message)
    #expect(rejection?.reason == .recordMismatch)
  }

  @Test func codesHaveReasons() throws {
    let any = try validator(#""192.0.2.1""#)
    #expect(any.validate(try response("A", code: 3)).rejection?.reason == .noSuchHost)
    #expect(any.validate(try response("A", code: 2)).rejection?.reason == .dnsFailure)
    #expect(
      any.validate(try response("A", code: 5)).rejection?.description
        == "expected the response code NOERROR, found REFUSED")
    #expect(any.validate(try response("A")).rejection?.reason == .noSuchHost)
    // Without a requirement for records, none are needed.
    #expect(try validator(#"{"rcode": "NOERROR"}"#).validate(try response("A")).isAccepted)
    #expect(
      try validator(#"{"rcode": "NXDOMAIN", "noneMatches": "A"}"#).validate(try response("A", code: 3))
        .isAccepted)
    let ofAuthority = try validator(#"{"rcode": "NXDOMAIN", "section": "authority", "type": "SOA"}"#)
    let start = record("SOA", "ns.example. admin.example. 1 2 3 4 5")
    #expect(ofAuthority.validate(try response("A", code: 3, authority: [start])).isAccepted)
    #expect(!ofAuthority.validate(try response("A", code: 3)).isAccepted)
  }

  @Test(arguments: [
    ("TXT", #""v=spf1 -all""#, "v=spf1 -all"), ("TXT", #""v=spf1 " "-all""#, "v=spf1 -all"),
    ("TXT", #""a \"b\" \092 \228""#, "a \"b\" \\ \u{FFFD}"), ("TXT", #""a""#, #""a""#),
    ("MX", "10 Mail.example.", "10 mail.example"), ("AAAA", "2001:db8::1", "2001:DB8:0:0::1"),
    ("CAA", #"0 issue "ca.example""#, #"0 issue "ca.example""#), ("TLSA", "3 1 1 abcd", "3 1 1 ABCD"),
  ])
  func valuesMayBeWrittenInSeveralWays(_ type: String, _ data: String, _ value: String) throws {
    let found = try RecordsValidator(value).validate(try response(type, [record(type, data)]))
    #expect(found.isAccepted, "\(String(describing: found.rejection))")
    #expect(!(try RecordsValidator("another").validate(try response(type, [record(type, data)])).isAccepted))
  }

  @Test(arguments: [
    (#"{"rcode": "NXDOMIAN"}"#, "rcode.0: \"NXDOMIAN\" is not a DNS response code: did you mean NXDOMAIN?"),
    (#"{"type": "XX"}"#, "type: \"XX\" is not a DNS record type: use one such as A, AAAA, MX, TXT or TYPE65"),
    (
      #"{"type": "A", "values": ["192.0.2.1", "192.0.2"]}"#,
      "values.1: \"192.0.2\" is not an IPv4 address, which records of type A contain: correct it, or give another type"
    ),
    (#"{"exactly": true}"#, "exactly: exactly requires values: add values, or remove it"),
    (
      #"{"ttl": {"min": "2m", "max": "1m"}}"#,
      "ttl: no time to live is within these bounds: give min, max or both, with a max of at least min"
    ),
    (#"{"ttl": {"min": "soon"}}"#, "ttl.min: \"soon\" is not a time: write it as 5s, 800ms or 1m"),
    (
      #"{"matches": "("}"#,
      "matches.pattern: pattern: missing closing parenthesis at byte 1: close the group with ), or write \\( for the character itself"
    ),
  ])
  func mistakesAreExplained(_ options: String, _ message: String) throws {
    let error = #expect(throws: InvalidInput.self) { try validator(options) }
    #expect(error.map { "\($0.path.joined(separator: ".")): \($0.descriptionWithOffset)" } == message)
  }

  @Test func optionsAreEncodedAsTheyAreWritten() throws {
    for text in [
      #""192.0.2.1""#, #"["a","b"]"#, #"{"exactly":true,"rcode":"NOERROR","type":"A","values":"a"}"#,
    ] {
      let options = try JSONDecoder().decode(RecordsValidator.Options.self, from: Data(text.utf8))
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      #expect(String(decoding: try encoder.encode(options), as: UTF8.self) == text)
    }
  }
}
