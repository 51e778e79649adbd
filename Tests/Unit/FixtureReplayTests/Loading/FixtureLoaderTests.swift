import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

@Suite struct FixtureLoaderTests {
  @Test func allKeysOfAFixtureAreRead() throws {
    let loaded = LoadedFixture(
      memory: """
        version: 1
        name: coova-chilli
        vendor: CoovaChilli
        source: { kind: source-derived, reference: "CoovaChilli, dhcp.c", date: "2024-02-29" }
        expect: { verdict: [captivePortal, intercepted], loginURL: "http://192.0.2.1:3990/?a=b" }
        listeners: { http: open, https: refused, tcp: hold }
        initial: captive
        routes:
          - id: probe
            when:
              state: captive
              listener: http
              method: GET
              host: "*.Example"
              port: 80*
              path: "/a?*"
              headers: { Accept: "text/*" }
            send: 10.resp
            end: fin
            fault: { kind: rst-after, bytes: 5, requests: [1, 2] }
          - when: { path: /login, port: 8080 }
            respond: { status: 302, reason: "", version: 1.0, headers: ["Location: http://a/"], body: pages/login.html }
            goto: open
          - when: { state: open }
            fault: { kind: slow-body, bytes: 1, every: 100ms, requests: 3 }
            respond: { body: pages/login.html }
          - { when: { state: captive }, fault: { kind: rst-early } }
        tls: { "*": valid, bad.example: expired }
        dns: { "*": 192.0.2.1, v6.example: "2001:db8::1", no.example: nxdomain }
        capport: https://portal.example/api
        sha256: { 10.resp: 280AECDB4AF64913558BC5EF92AD523D52FCA07F98A48A4EF7E799C8C38DD6C3 }
        """,
      files: ["10.resp": "HTTP/1.1 200 OK\r\n", "pages/login.html": "<p>", "unused": ""])
    #expect(loaded.findings.map(\.description) == [])
    #expect(loaded.files == ["f/fixture.yaml", "f/10.resp", "f/pages/login.html"])
    let fixture = try #require(loaded.fixture)
    let page = Array("<p>".utf8)
    let v4 = try #require(IPAddress("192.0.2.1"))
    let v6 = try #require(IPAddress("2001:db8::1"))
    #expect(
      fixture
        == Fixture(
          name: "coova-chilli", vendor: "CoovaChilli",
          source: FixtureSource(kind: .sourceDerived, reference: "CoovaChilli, dhcp.c", date: "2024-02-29"),
          expectation: FixtureExpectation(
            [.captivePortal, .intercepted], loginURL: "http://192.0.2.1:3990/?a=b"),
          listeners: [.http: .open, .https: .refused, .tcp: .hold],
          initialState: "captive",
          routes: [
            ReplayRoute(
              "probe",
              when: RouteCondition(
                state: "captive", listener: .http, method: "GET", host: "*.Example", port: "80*",
                path: "/a?*",
                headers: [.init(name: "Accept", value: "text/*")]),
              response: .send(Array("HTTP/1.1 200 OK\r\n".utf8)), end: .fin,
              fault: ReplayFault(.rstAfter, bytes: 5, requests: [1, 2])),
            ReplayRoute(
              "route-2", when: RouteCondition(port: "8080", path: "/login"),
              response: .respond(
                ComposedResponse(
                  status: 302, reason: "", version: "1.0", headers: ["Location: http://a/"], body: page)),
              goto: "open"),
            ReplayRoute(
              "route-3", when: RouteCondition(state: "open"),
              response: .respond(ComposedResponse(body: page)),
              fault: ReplayFault(.slowBody, bytes: 1, every: .milliseconds(100), requests: [3])),
            ReplayRoute("route-4", when: RouteCondition(state: "captive"), fault: ReplayFault(.rstEarly)),
          ],
          tls: ["*": .valid, "bad.example": .expired],
          dns: ["*": .address(v4), "v6.example": .address(v6), "no.example": .nxdomain],
          capport: "https://portal.example/api"))
  }

  @Test(arguments: ["", "a b", "https://é.example/", String(repeating: "a", count: 256)])
  func anAnnouncementFitsIntoADHCPOption(text: String) throws {
    func loaded(_ text: String) -> LoadedFixture {
      LoadedFixture(memory: Self.small + "capport: \"\(text)\"\n")
    }
    #expect(loaded(text).findings.count == 1)
    // A network may announce nonsense.
    #expect(loaded("nonsense").fixture?.capport == "nonsense")
    #expect(loaded(String(repeating: "a", count: 255)).findings.isEmpty)
  }

  @Test func aFixtureInJSON() {
    let loaded = LoadedFixture(
      memory: #"""
        {"version":1,"name":"\ud83d\ude00","source":{"kind":"synthetic","reference":"x"},
         "routes":[{"when":{"port":80},"respond":{"status":204}}]}
        """#)
    #expect(loaded.findings.map(\.description) == [])
    #expect(loaded.fixture?.name == "😀")
    #expect(loaded.fixture?.routes.first?.condition.port == "80")
  }

  @Test func aFixtureWithAnErrorIsNotServed() {
    let loaded = LoadedFixture(memory: "version: 1\nname: x\nroutes: []\n")
    #expect(loaded.fixture == nil)
    #expect(loaded.findings.count == 1)
  }

  private static let small = "version: 1\nname: x\nsource: { kind: synthetic, reference: y }\nroutes: []\n"

  @Test func aFolderMeansTheFixturesBelowIt() {
    let text = Array(Self.small.utf8)
    let loader = FixtureLoader(
      files: MemoryFiles([
        "all/b/fixture.yaml": text, "all/a/deep/fixture.yaml": text, "all/b/other.yaml": [], "all/p.yaml": [],
        "all/a/b.json": [], "all/.git/fixture.yaml": text, "none/x.txt": [],
      ]))
    #expect(
      loader.load(["all", "all/b", "all/b/fixture.yaml"]).map(\.path)
        == ["all/a/deep/fixture.yaml", "all/b/fixture.yaml", "all/b/fixture.yaml", "all/b/fixture.yaml"])
    #expect(loader.load(["all"]).allSatisfy { $0.fixture?.name == "x" })
    #expect(loader.contents(of: "all/").documents == ["all/a/b.json", "all/p.yaml"])
  }

  @Test(arguments: [
    ("none", "none: the folder contains no fixture: a fixture is a folder with a fixture.yaml"),
    ("none/x.txt", "none/x.txt: this is not a fixture: name a fixture's folder, or its fixture.yaml"),
    ("gone", "gone: there is no such file"),
  ])
  func aPathWithoutFixturesIsReported(_ path: String, message: String) {
    let loaded = FixtureLoader(files: MemoryFiles(["none/x.txt": []])).load([path])
    #expect(loaded.map(\.path) == [path])
    #expect(loaded.flatMap(\.findings).map(\.description) == [message])
    #expect(loaded.allSatisfy { $0.fixture == nil })
  }
}

extension LoadedFixture {
  /// A fixture in a folder `f` in memory.
  init(memory text: String, files: [String: String] = [:]) {
    var contents = ["f/fixture.yaml": Array(text.utf8)]
    for (name, text) in files { contents["f/\(name)"] = Array(text.utf8) }
    self = FixtureLoader(files: MemoryFiles(contents)).load(fixture: "f/fixture.yaml")
  }
}
