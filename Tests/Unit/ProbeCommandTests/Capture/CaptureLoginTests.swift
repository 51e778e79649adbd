import BundledPlugins
import FixtureReplay
import Foundation
import PortalAnalysis
import ProbeCore
import ProbeBase
import TestSupport
import Testing
import TestTransports

@testable import FixtureCapture
@testable import ProbeCommand
@testable import CommandKit

/// `probekit capture --follow-login`.
@Suite struct CaptureLoginTests {
  private static let portal = projectFile("Examples/portal-with-pictures").path
  private static let apple = "http://captive.apple.com/hotspot-detect.html"

  /// Captures a replayed portal, and returns the requests that the portal received.
  private static func capture(
    _ arguments: [String], in folder: TemporaryFolder, of path: String = portal
  ) async throws -> (run: FolderRun, requested: [String]) {
    let loaded = FixtureLoader().load([path])
    let server = try ReplayServer(loaded.compactMap(\.fixture))
    defer { server.stop() }
    let run = try await FolderRun(
      "capture",
      ["-o", "DIR/lobby"] + arguments + ["--connect-to", "::127.0.0.1:\(server.port(of: .http))"],
      in: folder)
    let requested = server.journal.entries.compactMap { entry in
      entry.request.map { Self.line(of: $0.head.bytes) }
    }
    return (run, requested)
  }

  /// The method, the host and the target of a request.
  private static func line(of head: [UInt8]) -> String {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    let host = lines.first { $0.lowercased().hasPrefix("host: ") }?.dropFirst(6) ?? ""
    return words.count == 3 ? "\(words[0]) \(host)\(words[1])" : "?"
  }

  @Test func thePageIsCapturedWithItsFiles() async throws {
    let folder = try TemporaryFolder()
    let (run, requested) = try await Self.capture(["--follow-login", Self.apple], in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    #expect(
      run.output.contains(
        "lost: 1 file of http://statistics.example was not requested: it is another server\n"))
    #expect(
      run.output.contains("login?visit=0000000000000001 was not sent: the replay responds with status 501\n"))
    for name in [
      "harbour.png", "harbour-2x.png", "waves.png", "anchor.svg", "page.js", "style.css", "buttons.css",
    ] {
      #expect(requested.count { $0.split(separator: "?")[0].hasSuffix("/guest/\(name)") } == 1, "\(name)")
      let original = try Data(contentsOf: URL(filePath: "\(Self.portal)/\(name)"))
      let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/lobby")
      let file = try #require(files.first { $0.hasSuffix("-\(name).resp") }, "\(name)")
      let captured = try Data(contentsOf: URL(filePath: "\(folder.path)/lobby/\(file)"))
      #expect(captured.suffix(original.count) == original, "\(name)")
    }
    let verify = try await VerifyRun(["--strict", "DIR/lobby"], in: folder)
    #expect(verify.code == .success, "\(verify.output)\(verify.errors)")
    let lint = try await FolderRun("lint", ["DIR/lobby"], in: folder)
    #expect(lint.code == .success, "\(lint.output)")
  }

  @Test func noOtherHostIsContactedAndNoFormIsSubmitted() async throws {
    let folder = try TemporaryFolder()
    let (_, requested) = try await Self.capture(["--follow-login", Self.apple], in: folder)
    #expect(requested.count >= 9)
    for request in requested {
      #expect(request.hasPrefix("GET "))
      #expect(
        request.contains("GET captive.apple.com/") || request.contains("GET wifi.harbour.example/guest/"))
      #expect(!request.contains("/guest/login") && !request.contains("/guest/terms"))
    }
    let text = readText("\(folder.path)/lobby/fixture.yaml")
    #expect(
      text.contains(
        "when: { listener: http, method: POST, host: \"wifi.harbour.example\", port: 80, path: \"/guest/login\" }"
      ))
    #expect(text.contains("respond: { status: 501,"))
  }

  @Test func privateValuesAreReplacedInAllCapturedFiles() async throws {
    let folder = try TemporaryFolder()
    _ = try await Self.capture(["--follow-login", Self.apple], in: folder)
    #expect(
      readText("\(folder.path)/lobby/fixture.yaml").contains(
        "path: \"/guest/page.js?visit=0000000000000001\""))
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/lobby") {
      let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/lobby/\(name)"))
      for word in ["7d3f90b1c2a84e65", "5f1d8c0a9e7b4326"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)")
      }
    }
  }

  @Test func withoutTheOptionOnlyThePageIsRequested() async throws {
    let folder = try TemporaryFolder()
    let (run, requested) = try await Self.capture([Self.apple], in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    #expect(requested.count == 2)
  }

  @Test func conflictingOptionsAreReported() async throws {
    let run = try await FolderRun(
      "capture", ["-o", "DIR/x", "--follow-login", "--no-page", "--import", "DIR/a.har"],
      in: try TemporaryFolder())
    #expect(run.code == .usage)
    #expect(
      run.errors == """
        probekit capture: --follow-login and --no-page cannot be combined: keep one of them
        probekit capture: --import probes nothing: omit --follow-login

        """)
  }

  /// Visits a portal whose pages come from a given address, without a network.
  private static func visit(
    _ pages: [String: (body: String, fields: HeaderFields)], from address: String = "192.0.2.7"
  ) async throws -> (findings: LoginVisit.Findings, requests: [ProbeRequest]) {
    let requests = Guarded<[ProbeRequest]>([])
    let stub = FakeTransport { request in
      requests.withLock { $0.append(request) }
      guard let page = pages[request.url.string] else {
        throw ProbeFailure(.connectRefused, "the port is closed")
      }
      return ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: 200, fields: page.fields),
        body: Array(page.body.utf8),
        remoteAddress: IPAddress(address).map { SocketAddress($0, port: 80) })
    }
    let prober = Prober(try .only(stub), policy: .plaintextAllowed)
    let visit = LoginVisit(prober, ProbeRequest(try ProbeURL("http://portal.example/guest/in")))
    return (await visit.findings(), requests.withLock(\.self))
  }

  @Test func filesAreRequestedFromTheAddressOfThePage() async throws {
    let page = "<img src=a.png><img src=b.png>"
    let (findings, requests) = try await Self.visit(["http://portal.example/guest/in": (page, [:])])
    #expect(findings.files.map(\.path) == ["/guest/a.png", "/guest/b.png"])
    let files = requests.dropFirst()
    #expect(files.count == 2)
    for request in files {
      #expect(
        request.connectTo == [
          ConnectTo(host: "portal.example", port: nil, targetHost: "192.0.2.7", targetPort: nil)
        ])
      #expect(request.redirects == 0)
      #expect(request.maxBody == GuestNavigation.maximumFileBytes)
    }
    // A page from a loopback address: no connect-to rule is added for its files.
    let (_, own) = try await Self.visit(["http://portal.example/guest/in": (page, [:])], from: "127.0.0.1")
    #expect(own.allSatisfy { $0.connectTo.isEmpty })
  }

  @Test func cookiesAreSentOnlyToTheirPaths() async throws {
    let pages: [String: (body: String, fields: HeaderFields)] = [
      "http://portal.example/guest/in": ("<img src=a.png><img src=/b.png>", ["Set-Cookie": "a=1"]),
      "http://portal.example/guest/a.png": ("", ["Set-Cookie": "b=2"]),
    ]
    let (_, requests) = try await Self.visit(pages)
    let cookies = Dictionary(uniqueKeysWithValues: requests.map { ($0.url.path, $0.http.headers["Cookie"]) })
    #expect(cookies["/guest/in"] == .some(nil))
    #expect(cookies["/guest/a.png"] == "a=1")
    #expect(cookies["/b.png"] == .some(nil))
  }

  @Test func filesOfATruncatedPageAreRequested() async throws {
    let folder = try TemporaryFolder()
    let cut = Fixture(
      name: "cut",
      routes: [
        ReplayRoute(
          "page", when: RouteCondition(host: "10.0.0.1", path: "/in"),
          response: .send(
            Array(
              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 900\r\n\r\n<title>Log in</title><img src=a.png>"
                .utf8)), end: .fin),
        ReplayRoute(
          "redirect", when: RouteCondition(host: "captive.apple.com"),
          response: .send(Array("HTTP/1.0 302 Off\r\nLocation: http://10.0.0.1/in\r\n\r\n".utf8)), end: .fin),
        ReplayRoute(
          "image", when: RouteCondition(), response: .send(Array("HTTP/1.0 200 OK\r\n\r\nimage".utf8)),
          end: .fin),
      ])
    let run = try await CaptureRun(["-o", "DIR/lobby", "--follow-login", Self.apple], cut, in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
    #expect(readText("\(folder.path)/lobby/fixture.yaml").contains("path: \"/a.png\""))
  }

  @Test func aPageThatCannotBeLoadedIsReported() async throws {
    let (findings, requests) = try await Self.visit([:])
    #expect(requests.count == 1)
    #expect(findings.losses == ["the files of the login page were not requested: the port is closed"])
  }
}
