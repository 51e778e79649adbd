import BundledPlugins
import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

/// The keys `params` and `targets`.
@Suite struct RequestParameterTests {
  private static let start = """
    version: 1
    name: p
    vars: { HOST: a.example, PAGE: home, KEY: { env: KEY, secret: true }, module: m }

    """

  private static func load(
    _ keys: String, url: String = "https://${vars.HOST}/${vars.PAGE}"
  ) throws -> LoadedPipeline {
    let text = start + keys + "\nsets: [{ name: a, urls: [\"\(url)\"] }]\n"
    return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8))
  }

  /// Keys, and the place and the message of the findings.
  @Test(
    arguments: [
      ("params: [PAGE]", []),
      ("params: [HOST, PAGE]\ntargets: [a.example, '*.b.example', 192.0.2.0/24, '2001:db8::1']", []),
      ("params: []", ["4:9 params is an empty list: give it at least one item"]),
      (
        "params: HOST",
        ["4:9 params must be a list, not a text: write its items in lines that start with \"- \""]
      ),
      ("params: [HOTS]", ["4:10 there is no variable \"HOTS\" in vars: did you mean HOST?"]),
      (
        "params: [zzzzzzz]",
        [
          "4:10 there is no variable \"zzzzzzz\" in vars: add it to vars, with the value of requests that do not set it"
        ]
      ),
      (
        "params: [PAGE, KEY]",
        ["4:16 the variable KEY is secret, so requests cannot set it: remove it from params"]
      ),
      (
        "params: [module]",
        ["4:10 requests use module for another purpose: give the variable another name"]
      ),
      ("params: [PAGE, PAGE]", ["4:16 PAGE is in params more than once: remove it here"]),
      (
        "params: [PAGE]\ntargets: [a.example, 'https://b.example']",
        ["5:22 \"https://b.example\" is a URL: write its host alone"]
      ),
      (
        "params: [PAGE]\ntargets: ['']",
        ["5:11 \"\" is no host, address or block: write it as example.com"]
      ),
      (
        "params: [PAGE]\ntargets: ['#a']",
        ["5:11 \"#a\" is no host, address or block: write it as example.com"]
      ),
    ] as [(String, [String])])
  func mistakesHaveTheirPlace(_ keys: String, _ expected: [String]) throws {
    let found = try Self.load(keys).findings().map {
      "\($0.place?.line ?? 0):\($0.place?.column ?? 0) \($0.message)\($0.remedy.map { ": \($0)" } ?? "")"
    }
    #expect(found == expected)
  }

  /// Where credentials are, and whether a parameter reaches the host.
  @Test(
    arguments: [
      ("request: { auth: { bearer: { env: T } } }", "https://${vars.HOST}/", true),
      ("request: { headers: { X: { env: T } } }", "https://${vars.HOST}/", true),
      ("request: { headers: { X: \"${vars.KEY}\" } }", "https://${vars.HOST}/", true),
      ("request: { headers: { Cookie: a=b } }", "https://${vars.HOST}/", true),
      ("request: { clientCertificate: c.pem }", "https://${vars.HOST}/", true),
      ("request: { auth: { bearer: { env: T } } }", "https://a.example:${vars.PAGE}/", true),
      ("request: { auth: { bearer: { env: T } } }", "https://a.example/${vars.HOST}", false),
      ("request: { headers: { X: public } }", "https://${vars.HOST}/", false),
    ] as [(String, String, Bool)])
  func credentialsNeedTargets(_ request: String, _ url: String, _ isNeeded: Bool) throws {
    // Without an own secret, whose presence counts, too.
    func findings(_ keys: String) throws -> [SourceFinding] {
      let hasKey = request.contains("KEY")
      let vars = "vars: { HOST: a.example, PAGE: \"1\"\(hasKey ? ", KEY: { env: KEY, secret: true }" : "") }"
      let text =
        "version: 1\nname: p\n\(vars)\n\(keys)\n\(request)\nsets: [{ name: a, urls: [\"\(url)\"] }]\n"
      return PipelineLoader(try .bundled).load(path: "p.yaml", bytes: Array(text.utf8)).findings()
    }
    let found = try findings("params: [HOST, PAGE]")
    #expect(found.map { $0.message.hasPrefix("requests can set ") } == (isNeeded ? [true] : []))
    #expect(try findings("params: [HOST, PAGE]\ntargets: [a.example]") == [])
    // Without params, the file alone chooses the hosts.
    #expect(try findings("") == [])
  }

  @Test func parametersNeedVariables() throws {
    let loader = PipelineLoader(try .bundled)
    let text = "version: 1\nname: p\nparams: [A]\nsets: [{ name: a, urls: [\"https://a.example/\"] }]\n"
    let findings = loader.load(path: "p.yaml", bytes: Array(text.utf8)).findings()
    #expect(findings.map(\.message) == ["there is no variable \"A\" in vars"])
  }

  @Test func valuesAreThoseOfTheRequest() throws {
    let good = try Self.load("params: [HOST, PAGE]\ntargets: [a.example]")
    #expect(good.parameters.names == ["HOST", "PAGE"])
    func url(_ values: [String: String]) throws -> String {
      try good.setting(values).plan(in: .environment(["KEY": "k"])).probes[0].url
    }
    #expect(try url([:]) == "https://a.example/home")
    #expect(try url(["PAGE": "a b"]) == "https://a.example/a%20b")
    #expect(try url(["HOST": "b.example:99"]) == "https://b.example:99/home")
    #expect(throws: UnusablePipeline.self) { try url(["HOST": "b.example/x"]) }
    // The pipeline itself has its values still.
    #expect(try good.plan(in: .environment(["KEY": "k"])).probes[0].url == "https://a.example/home")
  }
}
