import BundledPlugins
import ProbeCore
import TestSupport
import Testing

@testable import ProbePipeline

/// The layers of a request, and what an explanation reports about them.
@Suite struct SettingLayersTests {
  /// Settings with values of several kinds: the text of each is what the request must have.
  private static let values: [(key: String, values: [String], of: @Sendable (ProbeRequest) -> String)] = [
    ("timeout", ["1s", "2s", "700ms"], { ValueSyntax.text(of: $0.timeout) }),
    ("redirects", ["0", "3", "50"], { "\($0.redirects)" }),
    ("maxBody", ["1KiB", "1MiB", "5"], { ByteCount($0.maxBody).text }),
    ("retries", ["0", "1", "2"], { "\($0.retries)" }),
    ("method", ["HEAD", "OPTIONS", "POST"], { $0.http.method }),
    ("userAgent", ["one", "two", "three"], { $0.http.userAgent }),
    ("strictRedirects", ["true", "false"], { "\($0.strictRedirects)" }),
    ("client", ["own", "curl"], { $0.http.client.rawValue }),
    ("family", ["v4", "v6"], { $0.family?.rawValue ?? "any" }),
  ]

  /// Some settings of a layer as a mapping in one line.
  private static func layer(_ numbers: inout SeededNumbers) -> String {
    let chosen = values.filter { _ in Bool.random(using: &numbers) }
    return "{ "
      + chosen.map { "\($0.key): \($0.values.randomElement(using: &numbers) ?? "")" }.joined(separator: ", ")
      + " }"
  }

  /// The explanation of a generated pipeline reports for each key what the planned request has, with its location.
  @Test(arguments: 0..<60) func theExplanationSaysWhatTheRequestHas(round: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(6100 + round))
    let base = "version: 1\nrequest: \(Self.layer(&numbers))\n"
    let text = """
      version: 1
      name: generated
      extends: base.yaml
      request: \(Self.layer(&numbers))
      sets:
        - name: one
          request: \(Self.layer(&numbers))
          urls:
            - url: https://a.example/
              request: \(Self.layer(&numbers))
            - https://b.example/
        - name: two
          steps:
            - { name: first, url: "https://c.example/", request: \(Self.layer(&numbers)) }

      """
    let folder = try TemporaryFolder(["base.yaml": base, "a.yaml": text])
    let loaded = PipelineLoader(try .bundled).load(path: "\(folder.path)/a.yaml", bytes: Array(text.utf8))
    let plan = try loaded.plan()
    let explanation = loaded.explanation
    #expect(explanation.map(\.url) == plan.probes.map(\.url))
    for (probe, planned) in zip(explanation, plan.probes) {
      let request = try planned.request.get()
      for (key, _, value) in Self.values {
        let settings = probe.settings.filter { $0.key == key }
        try #require(settings.count == 1, "\(key) of \(probe.url), round \(round)")
        guard let location = settings[0].location else {
          let standard = value(ProbeRequest(request.url))
          #expect(
            value(request) == standard, "\(key) of \(probe.url) has its default, round \(round)")
          continue
        }
        #expect(settings[0].value == value(request), "\(key) of \(probe.url) at \(location), round \(round)")
        // The location has the value that the request has.
        let parts = location.split(separator: ":")
        let file = parts[0].hasSuffix("base.yaml") ? base : text
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
        let (line, column) = (try #require(Int(parts[1])), try #require(Int(parts[2])))
        #expect(
          lines[line - 1].dropFirst(column - 1).hasPrefix(settings[0].value), "\(location), round \(round)")
      }
    }
  }

  @Test func familiesOfASetReplaceTheSettingOfItsRequests() throws {
    let text = """
      version: 1
      name: a
      request: { family: v4 }
      sets: [{ name: web, families: [v4, v6], urls: [https://a.example/] }]

      """
    let loaded = PipelineLoader(try .bundled).load(path: "a.yaml", bytes: Array(text.utf8))
    let family = try #require(loaded.explanation.first?.settings.first { $0.key == "family" })
    #expect(family.value == "v4, v6")
    #expect(family.scope == "families of the set")
  }

  @Test func secretsOfAFileAreNamedOnly() throws {
    let text = """
      version: 1
      name: a
      vars: { token: { env: HOME, secret: true } }
      request:
        headers: { Authorization: Bearer abcdefgh, X-Token: "${vars.token}", X-Plain: seen }
        auth: { basic: { user: me, password: hunter22 } }
        proxy: { url: "http://p.example:1", user: me, password: hunter33 }
        query: { access_token: hunter44 }
        body: password is hunter55
      sets: [{ name: web, urls: [https://a.example/] }]

      """
    let loaded = PipelineLoader(try .bundled).load(path: "a.yaml", bytes: Array(text.utf8))
    let shown = loaded.explanation.flatMap(\.settings).map(\.value).joined(separator: "\n")
    for secret in ["abcdefgh", "hunter22", "hunter33", "hunter44", "hunter55"] {
      #expect(!shown.contains(secret))
    }
    #expect(shown.contains("seen"))
    #expect(shown.contains("20 bytes"))
    #expect(shown.contains("${vars.token}"))
  }
}
