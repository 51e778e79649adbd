import Validators
import ProbeCore
import Testing

@Suite struct AddressValidatorTests {
  private func response(_ address: String?) throws -> ProbeResponse {
    var response = ProbeResponse(url: try ProbeURL("https://h.test/"))
    if let address {
      response.remoteAddress = SocketAddress(try #require(IPAddress(address)), port: 443)
    }
    return response
  }

  @Test(arguments: [
    (["192.0.2.1"], "192.0.2.1", true), (["192.0.2.1"], "192.0.2.2", false),
    (["10.0.0.0/8"], "10.255.0.1", true),
    (["10.0.0.0/8"], "11.0.0.0", false), (["0.0.0.0/0"], "203.0.113.9", true),
    (["0.0.0.0/0"], "2001:db8::1", false),
    (["2001:db8::/32"], "2001:db8:ffff::1", true), (["2001:db8::/32"], "2001:db9::1", false),
    (["::/0"], "2001:db8::1", true), (["192.0.2.1", "2001:db8::1"], "2001:db8::1", true),
  ])
  func addressesAndBlocks(_ expected: [String], _ found: String, _ isAccepted: Bool) throws {
    let validator = try AddressValidator(options: .init(addresses: expected))
    #expect(validator.validate(try response(found)).isAccepted == isAccepted)
  }

  @Test func theRejectionHasTheExpectedAndActualValues() throws {
    let validator = try AddressValidator(options: .init(addresses: ["192.0.2.0/24", "2001:db8::1"]))
    let rejection = validator.validate(try response("10.0.0.1")).rejection
    #expect(rejection?.reason == .addressMismatch)
    #expect(
      rejection?.description
        == "expected a response from 192.0.2.0/24 or 2001:db8::1, found one from 10.0.0.1"
    )
  }

  @Test func unknownAddressesAreNeitherAcceptedNorRejected() throws {
    let validator = try AddressValidator(options: .init(addresses: ["192.0.2.1"]))
    #expect(validator.validate(try response(nil)).rejection?.reason == .noAddress)
    #expect(Not(validator).validate(try response(nil)).rejection?.reason == .noAddress)
    #expect(Not(validator).validate(try response("192.0.2.2")).isAccepted)
  }

  @Test func failuresAreExaminedToo() throws {
    let validator = try AddressValidator(options: .init(addresses: ["192.0.2.1"]))
    let elsewhere = ProbeFailure(.connectRefused, "refused", partial: try response("10.0.0.1"))
    #expect(validator.findings(in: elsewhere).map(\.reason) == [.addressMismatch])
    let there = ProbeFailure(.connectRefused, "refused", partial: try response("192.0.2.1"))
    #expect(validator.findings(in: there).isEmpty)
    #expect(validator.findings(in: ProbeFailure(.noSuchHost, "no such host")).isEmpty)
  }

  @Test(arguments: [
    ("192.0.2.256", "\"192.0.2.256\" is no address: write it as 192.0.2.1, 2001:db8::1 or 192.0.2.0/24"),
    ("192.0.2.0/33", "\"33\" is no length of a prefix: use a number from 0 to 32"),
    ("192.0.2.0/", "\"\" is no length of a prefix: use a number from 0 to 32"),
    ("2001:db8::/+1", "\"+1\" is no length of a prefix: use a number from 0 to 128"),
    (
      "192.0.2.1/24",
      "the address of \"192.0.2.1/24\" does not end with its prefix: write 192.0.2.0/24, or 192.0.2.1 for that "
        + "address alone"
    ),
    (
      "2001:db8::1/0",
      "the address of \"2001:db8::1/0\" does not end with its prefix: write ::/0, or 2001:db8::1 for that address "
        + "alone"
    ),
  ])
  func invalidAddressesAreReported(_ text: String, _ words: String) throws {
    let mistake = #expect(throws: InvalidInput.self) {
      try AddressValidator(options: .init(addresses: ["192.0.2.1", text]))
    }
    #expect(mistake?.description == words)
  }
}
