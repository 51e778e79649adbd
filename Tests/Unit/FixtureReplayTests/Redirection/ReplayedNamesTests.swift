import ProbeCore
import ProbeStreams
import Testing

@testable import FixtureReplay

@Suite struct ReplayedNamesTests {
  private func ask(_ names: ReplayedNames, _ name: String, _ type: String = "A") throws
    -> ReplayedNames.Answer
  {
    let query = try DNSQuery(name: name, type: #require(RecordType(type)))
    return names.answer(try DNSRequest(query.message(id: 1)))
  }

  private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  @Test func theFixturesDecideFirst() throws {
    let names = ReplayedNames([
      Fixture(
        name: "one", routes: [],
        dns: [
          "a.example": .address(try address("192.0.2.7")),
          "six.example": .address(try address("2001:db8::1")),
          "no.example": .nxdomain, "bad.example": .servfail, "*.silent.example": .timeout,
        ]),
      Fixture(name: "two", routes: [], dns: ["a.example": .nxdomain, "b.example": .nxdomain]),
    ])
    #expect(try ask(names, "A.example") == .response(.noError, [address("192.0.2.7")]))
    #expect(try ask(names, "a.example", "AAAA") == .response(.noError, []))
    #expect(try ask(names, "six.example") == .response(.noError, []))
    #expect(try ask(names, "six.example", "AAAA") == .response(.noError, [address("2001:db8::1")]))
    #expect(try ask(names, "no.example", "MX") == .response(.noSuchName, []))
    #expect(try ask(names, "b.example") == .response(.noSuchName, []))
    #expect(try ask(names, "bad.example") == .response(.serverFailure, []))
    #expect(try ask(names, "x.silent.example") == .silence)
  }

  @Test func everyOtherNameHasItsOwnAddress() throws {
    let names = ReplayedNames([])
    let first = try ask(names, "a.example")
    #expect(first == .response(.noError, [try address("28.64.0.0")]))
    #expect(try ask(names, "b.example") == .response(.noError, [address("28.64.0.1")]))
    #expect(try ask(names, "A.EXAMPLE") == first)
    for type in ["AAAA", "HTTPS", "SVCB", "MX", "TXT", "PTR", "NS"] {
      #expect(try ask(names, "a.example", type) == .response(.noError, []), "\(type)")
    }
    #expect(try ask(names, ".") == .response(.noError, []))
    #expect(names.hosts(at: try address("28.64.0.1")) == ["b.example", "28.64.0.1"])
    #expect(names.hosts(at: try address("28.64.0.2")) == ["28.64.0.2"])
    #expect(names.hosts(at: try address("8.8.8.8")) == ["8.8.8.8"])
    #expect(names.hosts(at: try address("::1c40:1")) == ["::1c40:1"])
  }

  @Test func noRuleTreatsTheAddressesAsSpecial() throws {
    for text in ["28.64.0.0", "28.64.255.255"] {
      let address = try address(text)
      #expect(!address.isSpecialPurpose && address.reach == .network)
    }
  }

  @Test func aFixtureAddressBelongsToItsLatestName() throws {
    let portal = try address("192.0.2.1")
    let names = ReplayedNames([Fixture(name: "portal", routes: [], dns: ["*": .address(portal)])])
    #expect(names.hosts(at: portal) == ["192.0.2.1"])
    _ = try ask(names, "a.example")
    _ = try ask(names, "b.example", "AAAA")
    #expect(names.hosts(at: portal) == ["b.example", "192.0.2.1"])
  }

  @Test func reloadedFixturesApplyAtOnce() throws {
    let names = ReplayedNames([])
    _ = try ask(names, "a.example")
    names.replace(with: [Fixture(name: "shut", routes: [], dns: ["*": .nxdomain])])
    #expect(try ask(names, "a.example") == .response(.noSuchName, []))
    names.replace(with: [])
    #expect(try ask(names, "a.example") == .response(.noError, [address("28.64.0.0")]))
  }

  @Test func theNumberOfNamesIsLimited() throws {
    var pool = AddressPool(capacity: 3)
    let first = ["a", "b", "c"].map { pool.address(for: $0) }
    #expect(Set(first).count == 3)
    #expect(pool.address(for: "d") == first[0])
    #expect(pool.name(of: first[0]) == "d" && pool.address(for: "b") == first[1])
    #expect(pool.address(for: "a") == first[1] && pool.name(of: first[1]) == "a")
    #expect(pool.address(for: "d") == first[0])
  }

  @Test func anotherKindOfQueryIsNotImplemented() throws {
    var message = try DNSQuery(name: "a.example", type: .a).message(id: 1)
    message[2] = 4 << 3
    let dnsAnswer = ReplayedNames([]).answer(try DNSRequest(message))
    #expect(dnsAnswer == .response(DNSResponseCode(rawValue: 4), []))
  }
}
