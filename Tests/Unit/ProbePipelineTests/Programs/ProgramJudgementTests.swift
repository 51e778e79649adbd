import BundledPlugins
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// Responses that plugins judge, as part of `validate` and `classify`.
struct ProgramJudgementTests {
  /// The result of a probe, and the messages sent to the plugins.
  private static func run(
    _ judge: String, status: Int = 200, body: String = "up", request: String = "{}",
    respond: @escaping @Sendable (String) async -> PluginResponse
  ) async throws -> (result: ProbeResult, messages: [String]) {
    let text = """
      version: 1
      name: a
      question: services
      plugins: [{ name: health, command: [x] }, { name: other, command: [y] }]
      sets:
        - name: s
          \(judge)
          urls: [{ url: https://a.example/, request: \(request) }]
      """
    let host = FakeHost(respond: respond)
    let context = RequestContext { source throws(InvalidInput) in Secret("token-4711") }
    let plan = try PipelineLoader(try .bundled).load(path: "a.yaml", bytes: Array(text.utf8)).plan(
      in: context.allowingPrograms(host))
    let transport = FakeTransport {
      ProbeResponse(url: $0.url, head: HTTPResponseHead(status: status), body: Array(body.utf8))
    }
    let result = await PipelineRunner(try transport.registry).run(plan)
    return (try #require(result.sets.first?.probes.first), host.messages)
  }

  @Test func aPluginDeterminesTheOutcome() async throws {
    let accepted = try await Self.run("validate: { health: {} }") { _ in .accepted(["version": "1.4"]) }
    #expect(accepted.result.outcome == .accepted && accepted.result.captures == ["version": "1.4"])
    let rejected = try await Self.run("validate: { health: {} }") { _ in
      .rejected(ReasonCode(rawValue: "shop.down"), "down")
    }
    #expect(rejected.result.outcome == .failed)
    #expect(rejected.result.reason?.rawValue == "shop.down")
    #expect(rejected.result.detail == "expected a response that the plugin health accepts, found down")
    let silent = try await Self.run("validate: { health: {} }") { _ in .rejected(nil, "") }
    #expect(silent.result.reason == .rejected)
  }

  @Test(arguments: [
    PluginResponse.none(.pluginFailed, "it exited with code 1"), .none(.pluginTimeout, "late"),
    .response(.example()), .failed(ProbeFailure(.connectRefused, "no")),
  ])
  func withoutAJudgementNothingIsAccepted(response: PluginResponse) async throws {
    for judge in ["{ health: {} }", "{ not: { health: {} } }", "{ any: [{ health: {} }, { contains: x }] }"] {
      let run = try await Self.run("validate: \(judge)") { _ in response }
      #expect(run.result.outcome == .failed)
      #expect(run.result.reason == .pluginFailed || run.result.reason == .pluginTimeout)
    }
    let rules = try await Self.run("classify: [{ when: { not: { health: {} } }, outcome: accepted }]") { _ in
      response
    }
    #expect(rules.result.outcome == .failed)
  }

  @Test func aResponseWithoutJudgementsIsRejected() {
    #expect(NeverRunValidator().validate(.example()).rejection?.reason == .pluginFailed)
  }

  @Test func aPluginRunsOnlyIfItsJudgementIsNeeded() async throws {
    let bad = try await Self.run("validate: { health: {} }", status: 500) { _ in .accepted([:]) }
    #expect(bad.messages.isEmpty && bad.result.reason == .httpStatus)
    let all = try await Self.run("validate: { all: [{ contains: nothing }, { health: {} }] }") { _ in
      .accepted([:])
    }
    #expect(all.messages.isEmpty)
    let any = try await Self.run("validate: { any: [{ contains: up }, { health: {} }] }") { _ in
      .accepted([:])
    }
    #expect(any.messages.isEmpty && any.result.outcome == .accepted)
    let second = try await Self.run("validate: { all: [{ health: {} }, { other: {} }] }") { _ in
      .rejected(nil, "no")
    }
    #expect(second.messages.count == 1)
  }

  @Test func identicalUsesRunOnce() async throws {
    let run = try await Self.run(
      "classify: [{ when: { not: { health: { a: 1 } } }, outcome: failed }, { when: { all: [{ health: { a: 1 } }, "
        + "{ health: { a: 2 } }, { other: {} }] }, outcome: accepted }]"
    ) { _ in .accepted([:]) }
    #expect(run.result.outcome == .accepted)
    #expect(run.messages.count == 3)
  }

  @Test func secretsAreNotSentToPlugins() async throws {
    let run = try await Self.run(
      // The secret begins at the start of a Base64 group.
      "validate: { health: {} }", body: "token-4711, it says",
      request: "{ auth: { bearer: { env: TOKEN } } }"
    ) { message in
      message.contains("token-4711") || message.contains("dG9rZW4tNDcxM")
        ? .rejected(nil, "leaked") : .accepted([:])
    }
    #expect(run.result.outcome == .accepted)
    #expect(run.messages.count == 1)
  }

  @Test func bodiesAreTruncatedToTheirLimit() async throws {
    let run = try await Self.run("validate: { health: {} }", body: "0123456789", request: "{ maxBody: 4B }") {
      message in message.contains("\"bodyBase64\":\"MDEyMw==\"") ? .accepted([:]) : .rejected(nil, message)
    }
    #expect(run.result.outcome == .accepted)
  }

  @Test func cancellationReachesThePlugin() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Bool.self)
    let task = Task {
      try await Self.run("validate: { health: {} }") { _ in
        start.yield()
        try? await Task.sleep(for: .seconds(600))
        end.yield(Task.isCancelled)
        return .none(.cancelled, "cancelled")
      }
    }
    for await _ in started { break }
    task.cancel()
    var wasCancelled: Bool?
    for await value in ended {
      wasCancelled = value
      break
    }
    #expect(wasCancelled == true)
    #expect(try await task.value.result.outcome == .skipped)
  }

  @Test func aTransportReceivesItsOptions() async throws {
    let text = """
      version: 1
      name: a
      question: services
      policy: { https: optional }
      plugins: [{ name: redis, command: [x], kind: transport, options: { database: 3 } }]
      sets: [{ name: s, validate: { contains: PONG }, urls: [redis://a.example:6379/x] }]
      """
    let host = FakeHost { message in
      guard
        message == #""options":{"database":3},"request":{"url":"redis://a.example:6379/x","maxBody":65536}"#
      else {
        return .failed(ProbeFailure(.connectRefused, message))
      }
      var response = ProbeResponse.example(body: "PONG")
      response.head = nil
      return .response(response)
    }
    let plugins = try PluginRegistry.bundled
    let plan = try PipelineLoader(plugins).load(path: "a.yaml", bytes: Array(text.utf8)).plan(
      in: .withoutSecrets.allowingPrograms(host))
    let result = await PipelineRunner(plugins.transports).run(plan)
    let probe = try #require(result.sets.first?.probes.first)
    #expect(probe.outcome == .accepted, "\(probe)")
    #expect(probe.response?.url.description == "redis://a.example:6379/x")
  }
}

/// A validator whose program is not run.
private struct NeverRunValidator: ProgramValidator {
  var programUse: String { "never run" }

  func judgement(of response: ProbeResponse, to request: ProbeRequest) async -> Validation { .accepted }
}
