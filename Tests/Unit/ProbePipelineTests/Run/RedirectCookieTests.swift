import ProbeCore
import ProbeBase
import ProbePipeline
import TestSupport
import Testing
import TestTransports

/// Cookies that redirects set, in sets of URLs.
@Suite struct RedirectCookieTests {
  /// A site that sets a cookie with each response, redirects once, and records the cookies that it receives.
  private final class Site: Sendable {
    let cookies = Guarded<[String]>([])

    func respond(_ request: ProbeRequest) throws -> ProbeResponse {
      let count = cookies.withLock { cookies in
        cookies.append("\(request.url.path) \(request.http.headers["Cookie"] ?? "-")")
        return cookies.count
      }
      let isFirst = request.url.path == "/"
      var fields: [(name: String, value: String)] = [("Set-Cookie", "session=number-\(count); Path=/")]
      if isFirst { fields.append(("Location", "/in")) }
      let status = isFirst ? 302 : count < 3 ? 503 : 200
      return ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: status, fields: HeaderFields(fields)),
        body: Array("welcome, \(request.http.headers["Cookie"] ?? "stranger")".utf8))
    }
  }

  private static func run(
    _ site: Site, _ change: @escaping @Sendable (inout ProbeRequest) -> Void
  ) async throws -> SetResult {
    let set = ProbeSet("site", "https://site.example/").request(change)
    let transports = try FakeTransport(respond: site.respond).registry
    let plan = try Pipeline("p", sets: [set]).question(.services).plan(over: transports)
    return await PipelineRunner(transports).run(plan).sets[0]
  }

  /// Each attempt begins without cookies, and what was sent is not reported.
  @Test func cookiesOfARedirectAreSentOn() async throws {
    let site = Site()
    let set = try await Self.run(site) {
      $0.redirects = 1
      $0.retries = 1
      $0.backoff = RetryBackoff(initial: .zero, maximum: .zero)
    }
    #expect(
      site.cookies.withLock { $0 } == ["/ -", "/in session=number-1", "/ -", "/in session=number-3"])
    let probe = set.probes[0]
    #expect(probe.response?.status == 200 && probe.response?.attempts == 2)
    var shown = ""
    dump(probe, to: &shown)
    #expect(!shown.contains("number-3"))
  }

  /// The next run begins without cookies, too.
  @Test func aRunKeepsNoCookies() async throws {
    let site = Site()
    for _ in 0..<2 { _ = try await Self.run(site) { $0.redirects = 1 } }
    #expect(
      site.cookies.withLock { $0 } == ["/ -", "/in session=number-1", "/ -", "/in session=number-3"])
  }

  @Test func cookiesCanBeTurnedOff() async throws {
    let text = """
      version: 1
      name: p
      question: services
      request: { redirects: 1, cookies: false }
      sets: [{ name: a, urls: ["https://site.example/"] }]
      """
    let site = Site()
    var plugins = PluginRegistry()
    try plugins.transports.register(KeyedTransport(FakeTransport(respond: site.respond)))
    let loaded = PipelineLoader(plugins).load(path: "p.yaml", bytes: Array(text.utf8))
    _ = await PipelineRunner(plugins.transports).run(try loaded.plan())
    #expect(site.cookies.withLock { $0 } == ["/ -", "/in -"])
  }

  /// A transport that decodes the keys of HTTP.
  private struct KeyedTransport: ProbeTransport {
    let transport: FakeTransport
    var schemes: [URLScheme: Encryption] { transport.schemes }

    init(_ transport: FakeTransport) { self.transport = transport }

    func requestKeys(for scheme: URLScheme) -> [RequestKey] { RequestKey.common + RequestKey.http }

    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try await transport.probe(request) }
  }
}
