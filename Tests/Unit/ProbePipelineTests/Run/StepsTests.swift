import Validators
import ProbeCore
import ProbeBase
import ProbePipeline
import TestRequirements
import TestSupport
import Testing
import TestTransports

/// Sets of steps: sequential requests with cookies and captured values.
@Suite(.patience(minutes: 1)) struct StepsTests {
  /// A shop with a login: it issues a token and a cookie, and requires both.
  private final class Shop: Sendable {
    let requests = Guarded<[ProbeRequest]>([])
    let token: String

    init(token: String = "tok-123456") { self.token = token }

    func respond(_ request: ProbeRequest) throws -> ProbeResponse {
      requests.withLock { $0.append(request.withoutRun) }
      let url = request.url.string
      switch request.url.path {
      case "/login":
        return try fakeResponse(
          url, fields: ["Set-Cookie": "session=cookie-98765; Path=/"], body: "token=\(token);")
      case "/hop":
        return try fakeResponse(
          url, 302, fields: ["Location": "https://shop.example/account", "Set-Cookie": "hop=1; Path=/"])
      case "/account":
        let isKnown =
          request.http.headers["Cookie"]?.contains("session=cookie-98765") == true
          && request.http.headers["X-Token"] == token
        let cookies = request.http.headers["Cookie"] ?? ""
        return try fakeResponse(url, isKnown ? 200 : 401, body: "hello \(token), again: \(cookies)")
      case "/away": return try fakeResponse(url, 307, fields: ["Location": "https://other.example/"])
      default: return try fakeResponse(url, 404)
      }
    }
  }

  private static func step(
    _ name: String, _ path: String, _ validator: (any ResponseValidator)? = nil,
    _ change: @escaping @Sendable (inout ProbeRequest) -> Void = { _ in }
  ) -> ProbeTarget {
    var target = ProbeTarget("https://shop.example\(path)").request(change)
    target.name = name
    return validator.map(target.validate) ?? target
  }

  private static func login() throws -> ProbeTarget {
    step("login", "/login", try MatchesValidator("token=(?<token>[^;]+);"))
  }

  private static let account = step("account", "/account") {
    $0.http.headers = ["X-Token": "${steps.login.token}"]
  }

  private static func run(_ targets: [ProbeTarget], on shop: Shop = Shop()) async throws -> SetResult {
    let set = ProbeSet("shop", targets: targets).inSequence()
    let transports = try FakeTransport(respond: shop.respond).registry
    let plan = try Pipeline("p", sets: [set]).question(.services).plan(over: transports)
    return await PipelineRunner(transports).run(plan).sets[0]
  }

  @Test func aLoginGivesAccessToLaterSteps() async throws {
    let shop = Shop()
    let set = try await Self.run([try Self.login(), Self.account], on: shop)
    #expect(set.isMet == true)
    #expect(set.probes.map(\.outcome) == [.accepted, .accepted])
    #expect(shop.requests.withLock(\.count) == 2)
  }

  @Test func cookiesFromRedirectsAreSent() async throws {
    let shop = Shop()
    let hop = Self.step("hop", "/hop", try MatchesValidator("hello")) {
      $0.redirects = 1
      $0.http.headers = ["X-Token": "${steps.login.token}", "Cookie": "own=1"]
    }
    let set = try await Self.run([try Self.login(), hop], on: shop)
    #expect(set.isMet == true)
    let cookies = shop.requests.withLock { $0.map { $0.http.headers["Cookie"] } }
    #expect(cookies == [nil, "own=1; session=cookie-98765", "own=1; session=cookie-98765; hop=1"])
  }

  @Test func aFailedStepSkipsTheRest() async throws {
    let shop = Shop()
    let set = try await Self.run(
      [try Self.login(), Self.step("gone", "/gone"), Self.account, Self.step("more", "/login")], on: shop)
    #expect(set.isMet == false)
    #expect(set.probes.map(\.outcome) == [.accepted, .failed, .skipped, .skipped])
    #expect(set.probes.map(\.reason) == [nil, .httpStatus, .earlierStep, .earlierStep])
    #expect(set.probes[2].detail == "not sent: the step \"gone\" was not accepted: http.status")
    #expect(shop.requests.withLock(\.count) == 2)
  }

  @Test func aMissingValueFailsItsStep() async throws {
    let set = try await Self.run([Self.step("login", "/login"), Self.account])
    #expect(set.probes.map(\.reason) == [nil, .stepValue])
    #expect(
      set.probes[1].detail == "${steps.login.token}: the step \"login\" did not capture \"token\"")
  }

  @Test func aValueCannotAddHeaderFields() async throws {
    let shop = Shop(token: "a\r\nX-Evil: 1")
    let set = try await Self.run([try Self.login(), Self.account], on: shop)
    #expect(set.probes[1].reason == .stepValue)
    #expect(shop.requests.withLock(\.count) == 1)
  }

  static let unusable: [(token: String, path: String, detail: String)] = [
    (
      String(repeating: "a", count: 65_510), "/account?t=${steps.login.token}",
      "with the captured value, the URL is 65541 bytes long, more than 65536"
    ),
    (
      "..", "/u/${steps.login.token}/account",
      "with the captured value, a part of the URL's path is . or .."
    ),
    (
      "..;x", "/u/${steps.login.token}/account",
      "with the captured value, a part of the URL's path is . or .."
    ),
    (
      "a/../b", "/u/${steps.login.token}/account",
      "with the captured value, a part of the URL's path is . or .."
    ),
    (
      "%2e.", "/u/${steps.login.token}/account",
      "with the captured value, a part of the URL's path is . or .."
    ),
    (
      "a\u{7F}", "/account?t=${steps.login.token}",
      "${steps.login.token}: the captured value contains control characters"
    ),
  ]

  /// A URL is never requested with the reference instead of the value, and the report names the step that failed.
  @Test(arguments: unusable)
  func anUnusableURLValueFailsItsStep(_ token: String, _ path: String, _ detail: String) async throws {
    let shop = Shop(token: token)
    let set = try await Self.run([try Self.login(), Self.step("next", path)], on: shop)
    #expect(set.probes.map(\.reason) == [nil, .stepValue])
    #expect(set.probes[1].detail == detail)
    #expect(set.probes[1].url == "https://shop.example\(path)")
    #expect(shop.requests.withLock(\.count) == 1)
  }

  static let types = [
    "text/plain", "application/x-www-form-urlencoded", "application/json",
    "application/soap+xml; charset=utf-8",
  ]

  /// Neither a captured value nor a cookie follows a redirect to another origin, even if the value is short
  /// or the body encodes it differently.
  @Test(arguments: types, ["a\"b/c==", "<4&7>", "4711"])
  func valuesStayWithTheirOrigin(_ type: String, _ token: String) async throws {
    let shop = Shop(token: token)
    let away = Self.step("away", "/away") {
      $0.redirects = 1
      $0.http.method = "POST"
      $0.http.headers = ["X-Token": "${steps.login.token}", "Content-Type": type]
      $0.http.body = Array("t=${steps.login.token}".utf8)
      $0.http.credentials = .bearer(Secret("${steps.login.token}"))
    }
    _ = try await Self.run([try Self.login(), away], on: shop)
    let requests = shop.requests.withLock { $0 }
    #expect(requests.map(\.url.host) == ["shop.example", "shop.example", "other.example"])
    let second = try #require(requests.dropFirst().first?.http)
    let last = try #require(requests.last?.http)
    #expect(second.body != nil && second.headers["X-Token"] == token)
    #expect(last.body == nil && last.credentials == nil)
    #expect(last.headers["X-Token"] == nil && last.headers["Cookie"] == nil)
  }

  /// A token that a later step sends, and a cookie, must not appear in a report.
  @Test func valuesInUseAndCookiesAreRedacted() async throws {
    let account = Self.step("account", "/account", try MatchesValidator("no such text")) {
      $0.http.headers = ["X-Token": "${steps.login.token}"]
    }
    let set = try await Self.run([try Self.login(), account])
    #expect(set.probes[0].captures == ["token": Secret.placeholder])
    #expect(
      set.probes[1].detail?.contains("hello <redacted>, again: session=<redacted>") == true,
      "\(set.probes[1].detail ?? "")")
    let unused = try await Self.run([try Self.login(), Self.step("gone", "/gone")])
    #expect(unused.probes[0].captures == ["token": "tok-123456"])
  }

  /// Four bytes are enough, also in the response to a step that does not send them.
  @Test(arguments: ["4711", "ab-c5", "tok-123456"]) func shortValuesAreRedactedToo(_ token: String)
    async throws
  {
    let account = Self.step("account", "/account", try MatchesValidator("no such text")) {
      $0.http.headers = ["X-Token": "${steps.login.token}"]
    }
    let other = Self.step("other", "/login", try MatchesValidator("no such text"))
    for targets in [[account], [other, account]] {
      let set = try await Self.run([try Self.login()] + targets, on: Shop(token: token))
      let detail = try #require(set.probes[1].detail)
      #expect(detail.contains(Secret.placeholder) && !detail.contains(token), "\(detail)")
    }
  }

  @Test func runsDoNotShareState() async throws {
    let transports = try FakeTransport(respond: Shop().respond).registry
    let steps = [Self.account, try Self.login()]
    let plan = try Pipeline("p", sets: [ProbeSet("a", targets: Array(steps.reversed())).inSequence()])
      .plan(over: transports)
    for _ in 0..<2 {
      let result = await PipelineRunner(transports).run(plan)
      #expect(result.sets[0].isMet == true)
    }
    let requests = Shop()
    _ = try await Self.run([try Self.login()], on: requests)
    #expect(requests.requests.withLock { $0[0].http.headers["Cookie"] } == nil)
  }

  static let mistakes: [(targets: [ProbeTarget], message: String)] = [
    ([ProbeTarget("https://shop.example/")], "the step has no name"),
    (
      [step("a b", "/")], "the step name \"a b\" has characters other than letters, digits, _ and -"
    ),
    ([step("a", "/"), step("a", "/")], "two steps have the name \"a\""),
    ([step("a", "/${steps.a.b}")], "${steps.a.b} names a step that does not come before this one"),
    (
      [step("a", "/"), step("b", "/") { $0.http.headers = ["X": "${steps.c.d}"] }],
      "${steps.c.d} names a step that does not come before this one"
    ),
  ]

  @Test(arguments: mistakes)
  func errorsAreFoundBeforeAnythingIsSent(_ targets: [ProbeTarget], _ message: String) throws {
    let transports = try FakeTransport { _ in throw ProbeFailure(.cancelled, "") }.registry
    let set = ProbeSet("s", targets: targets).inSequence()
    let error = #expect(throws: InvalidPlan.self) {
      try Pipeline("p", sets: [set]).plan(over: transports)
    }
    #expect(error?.problems.map(\.input.message) == [message])
  }

  @Test func stepsCannotUseSeveralFamilies() throws {
    let transports = try FakeTransport { _ in throw ProbeFailure(.cancelled, "") }.registry
    let set = ProbeSet("s", targets: [Self.step("a", "/")]).inSequence().families(.v4, .v6)
    let error = #expect(throws: InvalidPlan.self) {
      try Pipeline("p", sets: [set]).plan(over: transports)
    }
    #expect(error?.problems.first?.input.message == "the set \"s\" has steps, which run once")
  }

  /// Steps of several sets and other probes run concurrently.
  @Test func concurrentSetsOfStepsAreAllMet() async throws {
    let transports = try FakeTransport(respond: Shop().respond).registry
    let sets = try (0..<20).map { index in
      ProbeSet("s\(index)", targets: [try Self.login(), Self.account]).inSequence()
    }
    let others = (0..<20).map { ProbeSet("o\($0)", "https://shop.example/login") }
    for concurrency in [1, 3, 64] {
      let plan = try Pipeline("p", sets: sets + others).limits(
        RunLimits(concurrency: concurrency, perHost: 2)
      )
      .probingEverything().plan(over: transports)
      let result = await PipelineRunner(transports).run(plan)
      #expect(result.sets.allSatisfy { $0.isMet == true })
    }
  }
}
