import FixtureReplay
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

/// The exact messages for errors in fixtures.
@Suite struct LintTests {
  private static let head = "version: 1\nname: x\nsource: { kind: synthetic, reference: y }\n"

  private static let files = [
    "page.html": "<p>hello</p>",
    "empty": "",
    "good.txt": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    "close.txt": "HTTP/1.1 200 OK\r\n\r\nok",
    "short.txt": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok",
    "short.resp": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok",
    "long.txt": "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nok",
    "two.txt": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 3\r\n\r\nok",
    "both.txt": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked.txt": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nA: b\r\n\r\n",
    "cut.txt": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
    "bad.txt": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n",
    "behind.txt": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nmore",
    "none.txt": "hello",
    "head.txt": "HTTP/1.1 200 OK\r\nA: b\r\n",
    "204.txt": "HTTP/1.1 204 No Content\r\n\r\nok",
    "100.txt": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
    "interim.txt": "HTTP/1.1 103 Early Hints\r\n\r\n",
    "body.chunks": "2\r\nok\r\n0\r\n\r\n",
    "template.html": "<p>${request.url}</p>\n<p class=x ${time}>${session.sate} ${</p>",
  ]

  /// Routes with errors, by their names in the snapshot.
  static let routes: [String: String] = [
    "01 outside":
      "- { send: ../x }\n- { send: /etc/passwd }\n- { send: a/../../x }\n- { send: \"\" }\n- { send: \"a\\0b\" }",
    "02 missing": "- { respond: { body: page.htm } }\n- { send: fixture.yml }\n- { send: page.html/ }",
    "03 lengths": [
      "short", "long", "two", "both", "cut", "bad", "behind", "none", "head", "204", "100", "interim",
      "empty",
    ].map { "- { when: { path: /\($0) }, send: \($0 == "empty" ? $0 : $0 + ".txt") }" }.joined(
      separator: "\n"),
    "04 names": "- { id: a, respond: {} , when: { path: /a } }\n- { id: a, respond: {} }",
    "05 a name by default": "- { id: route-2, respond: {}, when: { path: /a } }\n- { respond: {} }",
    "06 states without an initial one": "- { when: { state: a }, respond: {}, goto: b }",
    "07 never matches": """
    - { id: first, when: { host: "*.Example", path: /a* }, respond: {} }
    - { when: { host: a.example, path: /abc, method: GET }, respond: {} }
    - { when: { listener: http, host: "x.*.EXAMPLE", path: "/a*b" }, respond: {} }
    - { when: { path: "/abc?x=1", host: a.example }, respond: {} }
    - { when: { path: /b }, respond: {} }
    - { respond: {} }
    - { when: { headers: { Accept: "*" } }, fault: { kind: rst-early } }
    """,
    "07b never received": """
    - { when: { receive: "A*" }, send: none.txt }
    - { when: { receive: "AB" }, send: none.txt }
    - { when: { receive: "\\x05*" }, send: none.txt }
    - { when: { receive: "\\x05\\x01" }, send: none.txt }
    """,
    "08 fits no listener": """
    - { when: { listener: http, receive: "QUIT*" }, respond: {} }
    - { when: { listener: tcp, method: GET, path: /, headers: { A: b } }, send: good.txt }
    - { when: { listener: tcp, receive: a }, respond: {} }
    - { when: { receive: b }, send: good.txt, fault: { kind: short-body } }
    """,
    "09 answers": """
    - { when: { path: /a } }
    - { when: { path: /b }, send: good.txt, respond: {} }
    - { when: { path: /c }, end: keep }
    - { when: { path: /d }, fault: { kind: rst-after, bytes: 3 } }
    - { when: { path: /e }, fault: { kind: rst-early, requests: 1 } }
    """,
    "10 respond": """
    - { respond: { status: 1000, reason: "a\\r\\nb", version: "2", headers: ["a b: c", "x", "A: b\\nC: d", ": x"] } }
    - { respond: { headers: [[a], 1], body: [x] } }
    - respond:
        headers:
          - Location: http://a/
    """,
    "11 respond and its body": """
    - { when: { path: /a }, respond: { status: 204, body: page.html } }
    - { when: { path: /b }, respond: { headers: ["Content-Length: 3"], body: page.html } }
    - { when: { path: /c }, respond: { headers: ["content-length: x"] } }
    - { when: { path: /d }, respond: { headers: ["Content-Length: 1", "Content-Length: 1"] } }
    - { when: { path: /e }, respond: { headers: ["Content-Length: 1", "Transfer-Encoding: chunked"] } }
    - { when: { path: /f }, respond: { headers: ["Transfer-Encoding: chunked"], body: page.html } }
    - { when: { path: /g }, respond: { headers: ["Content-Length: 12"], body: page.html }, fault: { kind: chunk-cut } }
    """,
    "12 faults": """
    - { fault: { kind: dely } }
    - { fault: { kind: delay } , respond: {} }
    - { fault: { kind: rst-early, bytes: 3, every: 1s, for: 1s } }
    - { fault: { kind: slow-body, bytes: 0, every: 0s, requests: [0, x] }, respond: {} }
    - { fault: {} }
    """,
    "13 faults that cannot befall": """
    - { when: { path: /a }, send: good.txt, fault: { kind: chunk-cut } }
    - { when: { path: /b }, respond: {}, fault: { kind: short-body } }
    - { when: { path: /c }, respond: { body: page.html }, fault: { kind: short-body, bytes: 12 } }
    - { when: { path: /d }, send: good.txt, fault: { kind: header-cut, bytes: 38 } }
    - { when: { path: /e }, send: good.txt, fault: { kind: rst-after, bytes: 41 } }
    - { when: { path: /f }, send: empty, fault: { kind: stall-body } }
    """,
    "14 an end that nobody sees": """
    - { when: { path: /a }, send: close.txt, end: keep }
    - { when: { path: /b }, send: short.resp, end: keep }
    """,
    "15 conditions": """
    - when: { state: "", listener: htp, method: get, host: "http://a/", port: 0, path: x, headers: { "a:": b }, receive: "" }
      respond: {}
    - { when: { method: "a b", host: "a.example:80", port: 8x, path: "/a b" }, respond: {} }
    - { when: { host: "[::1]", port: 65536, path: "/#x", hosts: a }, respond: {} }
    """,
    "16 fields": """
    - { when: { method: GET, form: { user: a } }, respond: {} }
    - { when: { method: HEAD, query: [user], form: { user: [a] } }, respond: {} }
    - { when: { listener: tcp, query: { a: b }, form: { a: b } }, send: good.txt }
    """,
    "16b fields that never match": """
    - { when: { method: POST, form: { user: "*" } }, respond: {} }
    - { when: { method: POST, form: { user: guest, code: "1" }, query: { a: b } }, respond: {} }
    - { when: { method: POST, form: { code: "1" } }, respond: {} }
    """,
  ]

  /// Whole fixtures with errors.
  static let fixtures: [String: String] = [
    "30 nothing": "{}\n",
    "30b no value": "~\n",
    "31 kinds":
      "version: \"1\"\nname: [x]\nsource: x\nexpect: []\nlisteners: open\ninitial: {}\nroutes: {}\ntls: x\ndns: []\nsha256: x\n",
    "32 values": """
    version: 2
    name: ""
    source: { kind: captred, reference: x, date: 2025-02-29, dat: x }
    expect: { verdict: [], loginURL: /login }
    listeners: { http: closed, htps: open }
    routes: []
    tls: { "https://a/": valid, a.example: expird, "": valid }
    dns: { "*": 1.2.3.4.5, b.example: nxdoman, "c.example:53": 192.0.2.1 }
    sha256: { page.html: abc, gone: "\(String(repeating: "a", count: 64))" }
    """,
    "33 verdict": head + "expect: { loginURL: \"http://a b/\" }\nroutes: []\n",
    "34 listeners that are not open": head + """
      listeners: { http: refused, https: blackhole }
      routes:
        - { respond: {} }
        - { when: { listener: https }, respond: {} }
        - { when: { listener: tcp }, send: good.txt }
      """,
    "35 states": head + """
      initial: captive
      routes:
        - { when: { state: captve, path: /a }, respond: {} }
        - { when: { state: open, path: /b }, respond: {}, goto: later }
        - { when: { state: later, path: /c }, respond: {}, goto: open }
        - { when: { state: captive, path: /d }, respond: {}, goto: oepn }
        - { when: { state: oepn, path: /e }, respond: {} }
      """,
    "38 sessions": head + """
      initial: captive
      session:
        by: adress
        limits:
          open: { after: 0s, bytes: 0, goto: captive }
          captive: { goto: open }
          opne: { after: 5m, goto: captive }
          gone: { after: 5m }
      routes:
        - { respond: {}, goto: open }
      """,
    "38b whose states": head + """
      session: { by: { cookie: "a b" }, limit: {} }
      routes: []
      """,
    "38c states of sessions": head + """
      initial: captive
      session:
        by: { cookie: sid }
        limits:
          open: { after: 5m, goto: captve }
          opne: { after: 5m, goto: captive }
          late: { bytes: 5MB, goto: captive }
      routes:
        - { when: { state: captive }, respond: {}, goto: open }
        - { when: { state: open }, respond: {} }
        - { when: { state: late, path: /x }, respond: {}, goto: late }
      """,
    "38d sessions without states": head + """
      session: { by: address }
      routes: [{ respond: {} }]
      """,
    "38e limits without states": head + """
      session: { limits: { open: { after: 5m, goto: captive } } }
      routes: [{ respond: {} }]
      """,
    "39 templates": head + """
      initial: captive
      session: { limits: { open: { bytes: 5MB, goto: captive } } }
      routes:
        - when: { path: /a }
          respond: { headers: ["X-A: ${request.hots}", 'X-B: ${time', "Content-Length: 5"], template: true }
        - when: { path: /a2 }
          respond: { headers: ["Content-Type: text/html"], body: template.html, template: true }
        - when: { path: /b }
          respond: { body: page.html, template: true }
        - when: { path: /c }
          respond: { headers: ["X-Left: ${session.seconds} ${session.bytes}"], template: true }
          goto: open
        - when: { path: /d, state: captive }
          respond: { headers: ["X-Left: ${session.bytes}"], template: true }
        - when: { path: /e, state: open }
          respond: { headers: ["X-Left: ${session.bytes}", "X-A: ${request.hots}"] }
      """,
    "36 digest": head + "routes: []\nsha256: { page.html: \(String(repeating: "0", count: 64)) }\n",
    "37 syntax in the middle": head
      + "routes:\n  - { send: good.txt, ned: fin }\n  - { send: a: b }\n  - { id: x }\n",
  ]

  @Test func everyErrorIsReported() throws {
    var texts = Self.fixtures
    for (name, routes) in Self.routes { texts[name] = Self.head + "routes:\n" + routes + "\n" }
    let report = texts.sorted { $0.key < $1.key }.map { name, text in
      let loaded = LoadedFixture(memory: text, files: Self.files)
      let findings = loaded.findings + loaded.warnings
      #expect(!findings.isEmpty, "\(name)")
      #expect((loaded.fixture == nil) == !loaded.findings.isEmpty)
      #expect(findings.allSatisfy { $0.location != nil && $0.caretLines != nil })
      return "# \(name)\n" + findings.map { "\($0)\n" }.joined()
    }.joined(separator: "\n")
    #expect(try report == Snapshot("lint", is: report).text)
  }

  /// Correct routes, or those that declare their errors.
  static let good: [String] = [
    "- { send: good.txt, end: keep }", "- { send: chunked.txt, end: keep }", "- { send: close.txt }",
    "- { send: short.resp }", "- { send: short.txt, fault: { kind: short-body, bytes: 1 } }",
    "- { send: cut.txt, fault: { kind: chunk-cut } }", "- { send: chunked.txt, fault: { kind: chunk-bad } }",
    "- { when: { method: HEAD }, send: head.txt, fault: { kind: header-cut, bytes: 3 } }",
    "- { end: rst }", "- { end: hold }", "- { fault: { kind: endless-body } }",
    "- { fault: { kind: delay, for: 1s }, end: fin }",
    "- { fault: { kind: empty-fin, requests: [1] }, end: hold }",
    "- { respond: { status: 304, headers: [\"Content-Length: 5\"] } }",
    "- { when: { method: HEAD }, respond: { headers: [\"Content-Length: 5\"] } }",
    "- { respond: { headers: [\"Content-Length: 5\"], body: page.html }, fault: { kind: short-body } }",
    "- { respond: { headers: [\"Transfer-Encoding: chunked\"], body: body.chunks } }",
    "- { when: { listener: tcp, host: a.example, port: 25 }, send: none.txt }\n- { when: { receive: \"QUIT*\" }, send: none.txt, end: fin }",
    // Not evidently covered by an earlier route.
    "- { when: { path: \"/a*\" }, respond: {} }\n- { when: { path: \"/*a\" }, respond: {} }",
    "- { when: { path: \"/a?*\" }, respond: {} }\n- { when: { path: /a }, respond: {} }",
    "- { when: { listener: http }, respond: {} }\n- { respond: {} }",
    "- { when: { headers: { A: x } }, respond: {} }\n- { when: { headers: { B: x } }, respond: {} }",
    "- { respond: {} }\n- { when: { listener: tcp }, send: none.txt }",
    "- { when: { form: { a: x } }, respond: {} }\n- { when: { query: { a: x } }, respond: {} }",
    "- { when: { form: { a: x, b: y } }, respond: {} }\n- { when: { form: { a: x } }, respond: {} }",
    "- { respond: { headers: [\"Location: http://a/?u=${request.url}\"], template: true } }",
    "- { respond: { headers: [\"Content-Type: text/html\"], body: page.html } }",
    "- { when: { receive: \"*\" }, send: none.txt }\n- { when: { receive: \"\\x05*\" }, send: none.txt }",
    "- { when: { receive: \"\\x05\\x01*\" }, send: none.txt }\n- { when: { receive: \"\\x05*\" }, send: none.txt }",
  ]

  @Test(arguments: good)
  func correctFixturesHaveNoFindings(_ routes: String) {
    let loaded = LoadedFixture(memory: Self.head + "routes:\n" + routes + "\n", files: Self.files)
    #expect(loaded.findings.map(\.description) == [])
    #expect(loaded.fixture != nil)
  }

  @Test func theNumberOfRoutesIsLimited() {
    func load(_ count: Int) -> [String] {
      let routes = (0..<count).map { "- { when: { path: /\($0) }, respond: {} }" }.joined(separator: "\n")
      return LoadedFixture(memory: Self.head + "routes:\n" + routes + "\n").findings.map(\.message)
    }
    #expect(load(300) == [])
    #expect(load(1001) == ["a fixture has 1001 routes, more than 1000"])
  }

  @Test(.heavy) func longPatternsAreNotComparedForever() {
    let pattern = "/" + String(repeating: "*a", count: 20_000)
    let routes = (0..<20).map { "- { when: { path: \"\(pattern)\($0)\" }, respond: {} }" }.joined(
      separator: "\n")
    #expect(LoadedFixture(memory: Self.head + "routes:\n" + routes + "\n").findings.map(\.message) == [])
  }
}
