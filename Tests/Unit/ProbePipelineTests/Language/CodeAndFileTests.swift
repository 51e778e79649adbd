import Validators
import ProbeCore
import ProbePipeline
import Transports
import Testing

/// A pipeline created in code and its file result in identical plans.
@Suite struct CodeAndFileTests {
  @Test func theDesignExample() throws {
    try expect(
      "of-the-design.yaml",
      Pipeline("office") {
        try ProbeSet("apple", threshold: .percent(50)) {
          "https://www.apple.com/library/test/success.html"
          try ProbeTarget("https://captive.apple.com/hotspot-detect.html")
            .validate(MatchesValidator("<BODY>\\s*Success\\s*</BODY>", options: [.caseless]))
        }
        .validate(ContainsValidator("Success"))
        try ProbeSet("google", "https://www.google.com/generate_204").validate(StatusValidator(204))
      }
      .limits(RunLimits(concurrency: 64, perHost: 8, deadline: .seconds(30)))
      .success(.percent(75)))
  }

  @Test func minimal() throws {
    try expect("minimal.yaml", Pipeline("office") { ProbeSet("web", "https://a.example/") })
  }

  @Test func policyAndCapport() throws {
    try expect(
      "policy.yaml",
      Pipeline("open") { ProbeSet("plain", "http://a.example/", "https://b.example/") }
        .policy(.plaintextAllowed).capport("https://portal.example/api"))
  }

  @Test func runLimits() throws {
    try expect(
      "run-limits.yaml",
      Pipeline("office") { ProbeSet("web", "https://a.example/") }
        .limits(RunLimits(concurrency: 256, perHost: 2, deadline: .seconds(90))))
  }

  @Test func everyKeyOfRequest() throws {
    let rules = try [ConnectTo("a.example:443:127.0.0.1:8443"), ConnectTo("::127.0.0.1:9443")]
    let source = try ProbeSource("eth0")
    let proxy = try ProbeProxy(
      "http://proxy.example:3128", user: "ann", password: Secret("secret-of-PROXY_PASSWORD"))
    try expect(
      "request-everything.yaml",
      Pipeline("office") { ProbeSet("web", "https://a.example/") }
        .request { request in
          request.timeout = .milliseconds(1500)
          request.redirects = 3
          request.maxBody = 1_000_000
          request.retries = 2
          request.backoff = RetryBackoff(initial: .milliseconds(250), maximum: .seconds(4))
          request.family = .v4
          request.source = source
          request.connectTo = rules
          request.proxy = proxy
        }
        .request { request in
          request.http.method = "POST"
          request.http.headers = ["Accept": "text/html", "Accept": "*/*", "X-Office": "no"]
          request.http.body = Array("who=me".utf8)
          request.http.credentials = .basic(user: "ann", password: Secret("open sesame"))
          request.http.userAgent = "probe/1"
          request.tls.additionalAuthorities = "certificates/ca.pem"
          request.tls.clientCertificate = ClientCertificate(
            certificateFile: "me.pem", keyFile: "me.key", passphrase: Secret("secret-in-passphrase.txt"))
        })
  }

  @Test func overridesKeyByKey() throws {
    try expect(
      "overrides-key-by-key.yaml",
      Pipeline("office") {
        ProbeSet("web") {
          "https://a.example/"
          ProbeTarget("https://b.example/").request { request in
            request.timeout = .seconds(1)
            request.http.headers = ["X-Only": "here"]
          }
          ProbeTarget("https://c.example/").request { $0.redirects = 0 }
        }
        .request { request in
          request.timeout = .seconds(3)
          request.retries = 2
        }
        ProbeSet("other", "https://d.example/")
      }
      .request { request in
        request.timeout = .seconds(5)
        request.redirects = 1
        request.http.headers = ["Accept": "*/*"]
      })
  }

  @Test func secrets() throws {
    let pipeline = Pipeline("office") {
      ProbeSet("texts", "https://a.example/")
        .request { $0.http.credentials = .bearer(Secret("plain-text-token")) }
      ProbeSet("environment", "https://b.example/").setting { request, context throws(InvalidInput) in
        request.http.credentials = .basic(
          user: "ann", password: try context.secret(.environment("PASSWORD")))
      }
      ProbeSet("files", "https://c.example/").setting { request, context throws(InvalidInput) in
        request.http.credentials = .bearer(try context.secret(.file("tokens/office.txt")))
      }
      ProbeSet("numbers", "https://d.example/").request { $0.http.credentials = .bearer(Secret("123456")) }
    }
    try expect("secrets.yaml", pipeline)
  }

  @Test func thresholdsFromLoopsAndConditions() throws {
    let all = ["https://a.example/", "https://b.example/", "https://c.example/"]
    let measures: [(String, Threshold)] = try [
      ("half", .percent(50)), ("third", Threshold("33.3%")), ("two", .count(2)),
    ]
    let hasExtra = true
    try expect(
      "thresholds.yaml",
      Pipeline("office") {
        for (name, threshold) in measures {
          ProbeSet(name, threshold: threshold) {
            for url in all { ProbeTarget(url) }
          }
        }
        if all.isEmpty {
          ProbeSet("nothing", "https://nothing.example/")
        } else {
          try ProbeSet("quoted", threshold: .count(2)) {
            all[0]
            if all.count > 1 { all[1] }
          }
        }
        if hasExtra { ProbeSet("extra", required: false, "https://a.example/") }
      }
      .success(.count(3)))
  }

  @Test func families() throws {
    try expect(
      "families.yaml",
      Pipeline("parity") {
        try ProbeSet("both", threshold: .count(4), "https://a.example/", "https://b.example/").families(
          .v4, .v6)
        ProbeSet("either", "https://a.example/")
        ProbeSet("all-three", "https://a.example/").families(nil, .v4, .v6)
      })
  }

  @Test func fallbacks() throws {
    try expect(
      "fallback.yaml",
      Pipeline("office") {
        ProbeSet("first", "https://a.example/")
        ProbeSet("second", start: .undecided, "https://b.example/")
        ProbeSet("third", required: false, start: .undecided, "https://c.example/")
      })
  }

  @Test func validators() throws {
    try expect(
      "validators-long.yaml",
      Pipeline("office") {
        try ProbeSet("web", "https://a.example/").validate(
          AllOf([
            ContainsValidator("success", caseless: true),
            EqualsValidator(" success ", trim: false),
            MatchesValidator("^ok$ # fine", options: [.caseless, .dotall, .multiline, .extended]),
            MatchesValidator("HTTP", options: [.anchored]),
            HeaderValidator(options: HeaderValidator.Options(name: "Server", equals: "nginx")),
            HeaderValidator(options: HeaderValidator.Options(name: "X-Cache", present: false)),
            HeaderValidator(
              options: HeaderValidator.Options(
                name: "Location", matches: MatchesValidator.Options(pattern: "^https:", options: [.caseless]))
            ),
            HeaderValidator(
              options: HeaderValidator.Options(name: "Content-Type", equals: "TEXT/HTML", caseless: true)),
            CertificateValidator(expiresAfter: .seconds(14 * 86_400)),
            LatencyValidator(below: .milliseconds(800), phase: .tls),
          ]))
      })
  }

  @Test func combinedValidators() throws {
    try expect(
      "validators-combined.yaml",
      Pipeline("office") {
        try ProbeSet("web", "https://a.example/").validate(
          AnyOf([
            AllOf([StatusValidator(200), Not(ContainsValidator("login"))]),
            Not(
              AnyOf([
                StatusValidator("3xx"),
                StatusValidator("5xx"),
              ])),
          ]))
      })
  }

  @Test func classifyRules() throws {
    try expect(
      "classify.yaml",
      Pipeline("office") {
        try ProbeSet("web", "http://a.example/").classify(
          ClassifyRule(when: .validator(StatusValidator(204)), .accepted),
          ClassifyRule(when: .redirect(.offHost), .intercepted),
          ClassifyRule(
            when: .any([.redirect(.any), .redirect(.downgrade), .redirect(.invalid)]), .failed),
          ClassifyRule(when: .reason(ReasonPattern("tls.*")), .intercepted),
          ClassifyRule(
            when: .all([.reason(ReasonPattern("timeout.connect")), .not(.reason(ReasonPattern("dns.*")))]),
            .failed),
          ClassifyRule(
            when: .validator(MatchesValidator("log.?in", options: [.caseless])), .intercepted))
      }
      .policy(.plaintextAllowed))
  }

  @Test func decideRules() throws {
    try expect(
      "decide.yaml",
      Pipeline("office") {
        ProbeSet("plain", "http://a.example/", "http://b.example/")
        ProbeSet("secure", "https://a.example/", "https://b.example/", "https://c.example/")
      }
      .policy(.plaintextAllowed).capport("https://portal.example/api")
      .decide(
        DecisionRule(when: .capport(.captive), .captivePortal),
        DecisionRule(when: .all([.met(set: "plain", true), .met(set: "secure", true)]), .online),
        DecisionRule(when: .outcome(set: "plain", .intercepted, .any), .captivePortal),
        DecisionRule(when: .outcome(set: "secure", .intercepted, .atLeast(2)), .intercepted),
        DecisionRule(when: .outcome(set: "secure", .failed, .all), .offline),
        DecisionRule(
          when: .any([
            .reason(set: "secure", try ReasonPattern("tls.*")),
            .reason(set: "secure", try ReasonPattern("dns.noSuchHost")),
          ]), .intercepted),
        DecisionRule(when: .not(.met(set: "plain", false)), .partial),
        DecisionRule(when: .outcome(set: "secure", .accepted, .any), .inconclusive)))
  }

  @Test func dialogs() throws {
    let dialog = try Dialog([
      .reject(.matches("(?m)^[45]\\d\\d ")),
      .expect(.matches("(?m)^220 (?<host>\\S+)"), timeout: .seconds(2), maxBytes: 4096),
      .send("EHLO ${host}\r\n"),
      .expect("250 "),
      .sendHex("51 55 49 54 0d0a"),
      .expect(.text("bye", caseless: true)),
      .expect(.hex("0d 0a")),
      .expect(.matches("x|y", options: [.caseless])),
    ])
    try expect(
      "tcp-dialogs.yaml",
      Pipeline("services") {
        ProbeSet("mail") {
          ProbeTarget("tcp://mail.example:25").request { request in
            request.timeout = .seconds(3)
            request[Dialog.self] = dialog
          }
        }
        .validate(try ContainsValidator("250 "))
        try ProbeSet("banner", "tcp://ssh.example:22").validate(MatchesValidator("^SSH-2\\.0-"))
        ProbeSet("connects", "tcp://db.example:5432")
      }
      .policy(.plaintextAllowed))
  }

  @Test func aUsersTransport() throws {
    try expect(
      "own-transport.yaml",
      Pipeline("devices") {
        ProbeSet("lamps") {
          "lamp://kitchen.example/"
          ProbeTarget("lamp://hall.example/").request { request in
            request[Greeting.self] = Greeting("good evening", times: 2)
            request.timeout = .seconds(1)
          }
        }
        .request { request in
          if request[Greeting.self] == nil { request[Greeting.self] = Greeting("hello") }
        }
        ProbeSet("web", "https://a.example/")
      })
  }

  /// The comparison can fail: each of these differs in one respect from the plan of the file.
  @Test func aDifferentPipelineGivesADifferentPlan() throws {
    let file = try PlanText.of(PipelineFile(name: "minimal.yaml", table: .valid).plan())
    let others = try [
      Pipeline("Office") { ProbeSet("web", "https://a.example/") },
      Pipeline("office") { ProbeSet("web", "https://b.example/") },
      Pipeline("office") { ProbeSet("web", "https://a.example/").request { $0.retries = 1 } },
      Pipeline("office") { ProbeSet("web", "https://a.example/").validate(try ContainsValidator("x")) },
      Pipeline("office") { ProbeSet("web", start: .undecided, "https://a.example/") },
    ]
    for pipeline in others.dropLast() { #expect(try PlanText.of(plan(of: pipeline)) != file) }
    #expect(throws: InvalidPlan.self) { try plan(of: others[4]) }
  }

  private func plan(of pipeline: Pipeline) throws -> ProbePlan {
    try pipeline.plan(over: PluginRegistry.ofLanguageTests.transports, in: .ofLanguageTests)
  }

  private func expect(
    _ name: String, _ pipeline: Pipeline, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let code = PlanText.of(try plan(of: pipeline)).split(separator: "\n")
    let file = PlanText.of(try PipelineFile(name: name, table: .valid).plan()).split(separator: "\n")
    let difference = zip(code, file).first { $0 != $1 }
    #expect(
      code == file, "first difference: \(difference.map { "\($0)" } ?? "the length")",
      sourceLocation: sourceLocation)
  }
}
