import FixtureReplay
import LoopbackServer
import TestClients
import TestSupport
import Testing

/// Many idle clients at once, or more than there are descriptors; each test in a separate process.
@Suite struct CrowdTests {
  @Test func silentConnectionsCostLittle() async {
    await #expect(processExitsWith: .success) {
      let world = [Fixture(name: "wire", routes: [ReplayRoute("page", response: Page.response)])]
      let (page, grown, left) = try await serving(world) { server in
        // Each connection takes two descriptors of this process.
        let count = min(2000, (ProcessUse.descriptorLimit - 200) / 2)
        let before = ProcessUse.residentBytes
        var silent: [RawClient] = []
        for index in 0..<count { silent.append(try server.client(ReplayListener.allCases[index % 3])) }
        // After all the others in the queue, so that they have been accepted.
        let page = try server.exchange("GET / HTTP/1.0\r\n\r\n")
        let grown = (ProcessUse.residentBytes - before) / count
        silent.removeAll()
        let end = ContinuousClock.now + RawClient.patience
        while openSockets(port: server.port(of: .http)) > 1, .now < end {}
        return (page, grown, openSockets(port: server.port(of: .http)))
      }
      try #require(page == .init(Array(Page.text.utf8), .fin))
      try #require(grown < 10_000, "\(grown)")
      try #require(left == 1)
    }
  }

  @Test func aServerWithoutDescriptorsMakesRoom() async {
    await #expect(processExitsWith: .success) {
      let world = [Fixture(name: "wire", routes: [ReplayRoute("page", response: Page.response)])]
      let (served, ended) = try await serving(world) { server in
        let hoard = DescriptorHoard(limit: 256, sparing: 41)
        defer { hoard.release() }
        var (clients, served, ended): ([RawClient], Int, Int) = ([], 0, 0)
        for _ in 0..<200 {
          let client = try server.client()
          try client.send(plainRequest)
          // From then on it is idle, and has a descriptor that others need.
          if client.receive(upTo: Page.count).text == Page.text { served += 1 }
          clients.append(client)
          guard clients.count > 20 else { continue }
          // The server has ended the one that was idle longest.
          let oldest = clients.removeFirst()
          // Each further wait would take as long.
          guard oldest.receive().ending == .fin else { break }
          ended += 1
        }
        return (served, ended)
      }
      try #require(served == 200)
      try #require(ended == 180)
    }
  }

  @Test func heldConnectionsAreNotEndedToMakeRoom() async {
    await #expect(processExitsWith: .success) {
      let held = ReplayRoute("held", when: RouteCondition(path: "/held"), end: .hold)
      let world = [Fixture(name: "wire", routes: [held, ReplayRoute("page", response: Page.response)])]
      let (first, silence, second) = try await serving(world) { server in
        let clients = try (0..<5).map { _ in
          let client = try server.client()
          try client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
          return client
        }
        let end = ContinuousClock.now + RawClient.patience
        while server.journal.count < 5, .now < end {}
        // One descriptor is left: the client has it, and waits in the queue of the port.
        let hoard = DescriptorHoard(limit: 128, sparing: 1)
        defer { hoard.release() }
        let late = try server.client()
        try late.send(plainRequest)
        let first = late.receive(within: .milliseconds(100))
        let silence = clients[1].receive(within: .milliseconds(20))
        clients[0].shutdownWrite()
        return (first, silence, late.receive(upTo: Page.count))
      }
      try #require(first == .init([], .silence), "first \(first)")
      try #require(silence == .init([], .silence), "silence \(silence)")
      try #require(second.text == Page.text, "second \(second)")
    }
  }

  @Test(
    .enabled(if: !Sanitizer.isAddressSanitizer, "the address sanitizer keeps memory that was freed"))
  func clientsThatDoNotReadCostLittle() async {
    await #expect(processExitsWith: .success) {
      let kinds: [ReplayFault.Kind] = [.endlessBody, .endlessHeaders, .gzipBomb]
      let routes = kinds.map { kind in
        ReplayRoute(
          kind.rawValue, when: RouteCondition(path: "/\(kind.rawValue)"), response: Page.response,
          fault: ReplayFault(kind))
      }
      let world = [Fixture(name: "wire", routes: routes + [ReplayRoute("page", response: Page.response)])]
      let (page, grown, left) = try await serving(world) { server in
        let before = ProcessUse.residentBytes
        var greedy: [RawClient] = []
        var secure: [SecureClient] = []
        for index in 0..<60 {
          let request = "GET /\(kinds[index % 3].rawValue) HTTP/1.1\r\nHost: a\r\n\r\n"
          if index % 2 == 0 {
            let client = try server.client()
            try client.send(request)
            _ = client.receive(upTo: 1)
            greedy.append(client)
          } else {
            let client = try server.secureClient()
            try client.send(request)
            _ = client.receive(upTo: 1)
            secure.append(client)
          }
        }
        let page = try server.exchange("GET / HTTP/1.0\r\n\r\n")
        let grown = (ProcessUse.residentBytes - before) / 60
        greedy.removeAll()
        secure.removeAll()
        let end = ContinuousClock.now + RawClient.patience
        while openSockets(port: server.port(of: .http)) > 1, .now < end {}
        return (page, grown, openSockets(port: server.port(of: .http)))
      }
      try #require(page == .init(Array(Page.text.utf8), .fin))
      // A bomb has a megabyte, which waits for its client.
      try #require(grown < 2 << 20, "\(grown)")
      try #require(left == 1)
    }
  }
}
