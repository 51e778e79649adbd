import LoopbackDNS
import ProbeCore
import TestSupport
import Testing

@testable import ProbeStreams

/// The names that are queried.
@Suite struct AresNamesTests {
  private static let long = [String](repeating: String(repeating: "a", count: 49), count: 5).joined(
    separator: ".")

  /// The queries for a name, to a server that knows no names.
  private func asked(
    _ name: String, search: [String] = [], dots: Int = 1
  ) async throws -> (names: [String], failure: AresError.Code?) {
    let server = try LoopbackDNS { [DNSMessage(to: $0, code: 3).bytes] }
    let failure = try await onAThread {
      try ChannelLoop(asking: server) {
        $0.search = search
        $0.dots = dots
      }.failure(name)
    }
    return (server.questions.map(\.name), failure)
  }

  @Test(arguments: [
    "a.example", "a", "under_score.example", "-a-.example", "a b.example", "1.2.3", "x.localhost",
    "localhost.",
    AresNamesTests.long + ".abc",
  ])
  func areQueriedUnchanged(_ name: String) async throws {
    let (names, failure) = try await asked(name)
    #expect(names == [name.hasSuffix(".") ? String(name.dropLast()) : name])
    #expect(failure == .noSuchName)
  }

  @Test(arguments: [
    "", "a..example", ".example", "a\0b", String(repeating: "a", count: 64) + ".example",
    AresNamesTests.long + ".abcdef",
  ])
  func invalidNamesAreNotQueried(_ name: String) async throws {
    let (names, failure) = try await asked(name)
    #expect(names == [] && failure == .badName)
  }

  @Test(arguments: ["localhost", "a.onion", "a.ONION."])
  func namesOutsideOfDNSAreNotQueried(_ name: String) async throws {
    let (names, failure) = try await asked(name)
    #expect(names == [] && failure == .noSuchName)
  }

  @Test(arguments: [
    ("a", ["a.one.example", "a.two.example", "a"]), ("a.b", ["a.b", "a.b.one.example", "a.b.two.example"]),
    ("a.", ["a"]), (AresNamesTests.long, [AresNamesTests.long]),
  ])
  func areSearchedInTheSearchDomains(_ name: String, _ expected: [String]) async throws {
    let (names, failure) = try await asked(name, search: ["one.example", "two.example"])
    #expect(names == expected && failure == .noSuchName)
  }

  @Test func withFewDotsAreSearchedFirst() async throws {
    #expect(try await asked("a.b", search: ["example"], dots: 2).names == ["a.b.example", "a.b"])
    #expect(try await asked("a", search: ["example"], dots: 0).names == ["a", "a.example"])
  }

  /// The environment belongs to the process, so each of these tests runs in a separate process.
  @Test func theEnvironmentDoesNotMatter() async {
    await #expect(processExitsWith: .success) {
      let aliases = try TemporaryFile("a alias.example\n")
      setVariables([
        "HOSTALIASES": aliases.path, "LOCALDOMAIN": "local.example", "RES_OPTIONS": "ndots:9 retry:9",
        "CARES_HOSTS": aliases.path,
      ])
      let server = try LoopbackDNS { [DNSMessage(to: $0, code: 3).bytes] }
      let failures = try await onAThread {
        let loop = try ChannelLoop(asking: server)
        return [loop.failure("a"), loop.failure("a.b")]
      }
      try #require(failures == [.noSuchName, .noSuchName])
      try #require(server.questions.map(\.name) == ["a", "a.b"])
    }
  }

  @Test func ofTheHostsFile() async {
    await #expect(processExitsWith: .success) {
      let hosts = try TemporaryFile(
        """
        # 192.0.2.9 a
        192.0.2.1 a.example a A2 # b
        2001:db8::1 a
          192.0.2.2\ta
        fe80::1%lo zone
        nonsense c
        192.0.2.3 trailing.
        127.0.0.1 LocalHost
        """)
      setVariables(["CARES_HOSTS": hosts.path])
      let found = try await onAThread {
        let loop = try ChannelLoop(.hostsFile, hostsOfEnvironment: true)
        return ["a", "A.EXAMPLE", "a2", "b", "c", "zone", "trailing", "trailing.", "localhost", "a.onion"].map
        {
          name in
          let families: [IPFamily?] = [nil, .v4, .v6]
          return families.map { family in
            switch loop.lookUp([name], family)[0] {
            case .success(let answer)?:
              answer.addresses.allSatisfy { $0.timeToLive == nil } && answer.aliases == []
                ? answer.addresses.map(\.address.description).sorted().joined(separator: " ")
                : "times or aliases"
            case .failure(let error)?: error.code == .noSuchName ? "" : error.words
            case nil: "never called"
            }
          }
        }
      }
      let all = ["192.0.2.1 192.0.2.2 2001:db8::1", "192.0.2.1 192.0.2.2", "2001:db8::1"]
      let one = ["192.0.2.1", "192.0.2.1", ""]
      let none = ["", "", ""]
      let expected = [
        all, one, one, none, none, none, none, ["192.0.2.3", "192.0.2.3", ""],
        ["127.0.0.1", "127.0.0.1", ""], none,
      ]
      for (found, expected) in zip(found, expected) { try #require(found == expected) }
    }
  }

  @Test func ofNoHostsFile() async {
    await #expect(processExitsWith: .success) {
      setVariables(["CARES_HOSTS": "/nowhere/hosts"])
      let failures = try await onAThread {
        let loop = try ChannelLoop(.hostsFile, hostsOfEnvironment: true)
        let ofNone = [loop.failure("a"), loop.failure("localhost")]
        let file = try TemporaryFile("# nothing\n")
        setVariables(["CARES_HOSTS": file.path])
        return ofNone + [loop.failure("a"), loop.failure("localhost", nil)]
      }
      try #require(failures == [AresError.Code?](repeating: .noSuchName, count: 4))
    }
  }
}
