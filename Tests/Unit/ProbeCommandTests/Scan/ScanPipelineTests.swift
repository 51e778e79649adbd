import Foundation
import LoopbackServer
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit

/// The settings and validators of a pipeline and of the command line, applied to each line of a scan.
@Suite struct ScanPipelineTests {
  private static func server(_ respond: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse) throws
    -> LoopbackServer
  { try .http(respond: respond) }

  private static let always = ["--allow-http", "--allow-private"]

  static let pipeline = """
    version: 1
    name: p
    policy: { https: optional }
    sets:
      - name: shop
        labels: { team: a, site: usual }
        validate: { contains: Shop }
        urls: [https://not-probed.example/]
      - name: news
        validate: { contains: News }
        request: { headers: { X-Key: { env: KEY } } }
        urls: [https://not-probed.example/]
      - name: steps
        steps: [{ name: first, url: "https://not-probed.example/" }]

    """

  @Test func setsOfAPipeline() async throws {
    let server = try Self.server { request in
      .response(body: request.target == "/news" ? "News \(request.header("X-Key") ?? "")" : "Shop")
    }
    let file = try TemporaryFolder(["p.yaml": Self.pipeline])
    let lines = [
      #"{"url":"\#(server.url("/shop"))"}"#, #"{"url":"\#(server.url("/news"))","set":"news"}"#,
      #"{"url":"\#(server.url("/news"))","set":"shop","labels":{"site":"mine"}}"#,
      #"{"url":"\#(server.url("/"))","set":"shopp"}"#, #"{"url":"\#(server.url("/"))","set":"steps"}"#,
    ]
    let environment = ["KEY": "k3y-of-the-news"]
    let scan = try await Scan(
      [file.path(of: "p.yaml"), "--allow-private"], input: lines.joined(separator: "\n"),
      environment: environment)
    #expect(scan.code == .success)
    #expect(try scan.texts("outcome") == ["accepted", "accepted", "failed", "failed", "failed"])
    #expect(try scan.texts("set") == ["shop", "news", "shop", "shopp", "steps"])
    try #require(try scan.results().count == 5)
    #expect(try scan.results()[0]["labels"] as? [String: String] == ["team": "a", "site": "usual"])
    #expect(try scan.results()[2]["labels"] as? [String: String] == ["team": "a", "site": "mine"])
    #expect(try scan.texts("detail")[3]?.contains("did you mean shop?") == true)
    #expect(try scan.texts("detail")[4]?.contains("there is no set \"steps\" with urls") == true)
    // The secret was sent, and the page that contains it is not shown.
    #expect(server.requestTexts.contains { $0.contains("k3y-of-the-news") })
    #expect(!scan.output.contains("k3y") && !scan.errors.contains("k3y"))
    #expect(!server.requestTexts.contains { $0.contains("GET /shop") && $0.contains("k3y") })
    // Validators on the command line replace those of every set.
    let replaced = try await Scan(
      [file.path(of: "p.yaml"), "--allow-private", "--status", "200"], input: lines[2],
      environment: environment)
    #expect(try replaced.texts("outcome") == ["accepted"])
  }

  @Test(arguments: [
    ("sets: [{ name: a, steps: [{ name: first, url: \"https://a.example/\" }] }]", "every set has steps"),
    ("sets: [{ name: a, families: [v4, v6], urls: [https://a.example/] }]", "several address families"),
    ("sets: [{ name: a, urls: [https://a.example/], validate: { nothing: 1 } }]", "nothing"),
  ])
  func unsuitablePipelinesAreRejected(_ sets: String, problem: String) async throws {
    let file = try TemporaryFolder(["p.yaml": "version: 1\nname: p\n\(sets)\n"])
    let scan = try await Scan([file.path(of: "p.yaml")], input: "https://a.example/")
    #expect(scan.code == .badInput)
    #expect(scan.output.isEmpty)
    #expect(scan.errors.contains(problem), "\(scan.errors)")
  }

  @Test(arguments: [
    "https://a.example/\n", "# shops\n\nhttps://a.example/", #"{"id":1,"url":"https://a.example/"}"#,
  ])
  func aURLListInsteadOfAPipelineIsExplained(_ list: String) async throws {
    let folder = try TemporaryFolder(["urls.txt": list])
    #expect(try runProgram("gzip", ["--keep", folder.path(of: "urls.txt")]) == 0)
    for path in [folder.path(of: "urls.txt"), folder.path(of: "urls.txt.gz")] {
      let scan = try await Scan([path])
      #expect(scan.code == .badInput)
      #expect(
        scan.errors
          == "\(path): this is a list of URLs, not a pipeline file: pass it with --input, or on standard input\n"
      )
    }
  }

  /// Options for one kind of URL do not prevent lines of another kind from being probed.
  @Test func optionsForOneKindOfURLDoNotStopTheScan() async throws {
    let http = try Self.server { request in .response(body: String(decoding: request.body, as: UTF8.self)) }
    let tcp = try LoopbackServer { connection in try connection.send("220 ready\r\n") }
    let input = "\(http.url())\ntcp://127.0.0.1:\(tcp.port)\n"
    let data = try await Scan(Self.always + ["--data", "abc", "--contains", "abc"], input: input)
    #expect(data.code == .success, "\(data.errors)")
    #expect(try data.texts("outcome") == ["accepted", "failed"])
    let folder = try TemporaryFolder(["d.json": #"[{"expect":"220 "}]"#])
    let dialog = try await Scan(Self.always + ["--dialog", folder.path(of: "d.json")], input: input)
    #expect(dialog.code == .success, "\(dialog.errors)")
    #expect(try dialog.texts("outcome") == ["failed", "accepted"])
  }

  @Test func interceptionIsReportedOnlyForTheInternetQuestion() async throws {
    let server = try Self.server { _ in .response(302, headers: [("Location", "http://portal.example/login")])
    }
    let services = try await Scan(Self.always, input: server.url())
    let internet = try await Scan(Self.always + ["--question", "internet"], input: server.url())
    #expect(try services.texts("outcome") == ["failed"])
    #expect(try internet.texts("outcome") == ["intercepted"])
    #expect(try internet.end()?["intercepted"] as? Int == 1)
  }

  @Test func theContactIsInTheUserAgent() async throws {
    let server = try Self.server { _ in .response() }
    _ = try await Scan(Self.always + ["--contact", "https://example.com/probes"], input: server.url())
    #expect(
      LoopbackRequest(server.requests[0]).header("User-Agent")
        == "ProbeKit/\(probeKitVersion) (+https://example.com/probes)")
  }
}
