import ProbeCore
import ProbeStreams
import Testing

@testable import Transports

@Suite struct DNSRequestTests {
  private func query(_ url: String) throws -> DNSQuery { try DNSQuery(ProbeRequest(try ProbeURL(url))) }

  @Test(arguments: [
    ("dns://192.0.2.53/www.example.com", "www.example.com.", "A"),
    ("dns://192.0.2.53/www.example.com.?type=aaaa;class=IN", "www.example.com.", "AAAA"),
    ("dns://192.0.2.53:5353/example.com?TYPE=MX&CLASS=in", "example.com.", "MX"),
    ("dns:///example.com?type=TXT", "example.com.", "TXT"),
    ("dns:example.com?type=NS", "example.com.", "NS"),
    ("dns://[2001:db8::53]/.?type=NS", ".", "NS"),
    ("dns://ns.example/_dmarc.example.com?type=TXT", "_dmarc.example.com.", "TXT"),
    ("dns://ns.example/bücher.example", "xn--bcher-kva.example.", "A"),
    ("dns://ns.example/a%5C.b.example", "a\\.b.example.", "A"),
    ("dns://ns.example/0%2F26.2.0.192.in-addr.arpa?type=PTR", "0/26.2.0.192.in-addr.arpa.", "PTR"),
    ("dns://ns.example/192.0.2.1?type=PTR", "1.2.0.192.in-addr.arpa.", "PTR"),
  ])
  func urlsBecomeQueries(_ url: String, _ name: String, _ type: String) throws {
    let query = try query(url)
    #expect(query.name == name && query.type.description == type)
    try DNSTransport().check(ProbeRequest(try ProbeURL(url)))
  }

  @Test(arguments: [
    ("dns://ns.example", "a dns URL needs a name: write it as dns://ns.example/example.com?type=A"),
    ("dns://[::1]/", "a dns URL needs a name: write it as dns://[::1]/example.com?type=A"),
    (
      "dns://ns.example/a?type=MXX",
      "\"MXX\" is not a DNS record type: use one such as A, AAAA, MX, TXT or TYPE65"
    ),
    ("dns://ns.example/a?class=XX", "\"XX\" is not a class of DNS: use IN, CH or HS"),
    ("dns://ns.example/a?MX", "the query of a dns URL has \"MX\": use type=A;class=IN"),
    (
      "dns://ns.example/a?type=A;type=MX",
      "a dns URL has more than one type: probe each with a URL of its own"
    ),
    ("dns://ns.example/a?type=AXFR", "a dns probe does not transfer zones: use another type, such as SOA"),
    (
      "dns://ns.example/a%00b",
      "the name in the dns URL is not valid UTF-8: write other bytes as %5CDDD, with three digits"
    ),
    (
      "dns://ns.example/a..b",
      "\"a..b\" is not a DNS name: Empty label: write it as in dns://ns.example/example.com?type=A"
    ),
  ])
  func mistakesAreExplained(_ url: String, _ message: String) throws {
    let request = ProbeRequest(try ProbeURL(url))
    let error = #expect(throws: InvalidInput.self) { try DNSTransport().check(request) }
    #expect(error?.description == message)
  }

  @Test func aProxyIsRefused() throws {
    var request = ProbeRequest(try ProbeURL("dns://ns.example/a"))
    request.proxy = try ProbeProxy("http://proxy.example:3128")
    let error = #expect(throws: InvalidInput.self) { try DNSTransport().check(request) }
    #expect(error?.description == "dns probes cannot go through a proxy: omit it for this URL")
  }

  @Test func theRequestKeysAreThoseOfDNS() throws {
    let keys = DNSTransport().requestKeys(for: .dns).map(\.name)
    #expect(
      keys == [
        "timeout", "maxBody", "retries", "backoff", "family", "interface", "connectTo", "resolver",
        "recursion",
        "dnssec",
      ])
  }
}
