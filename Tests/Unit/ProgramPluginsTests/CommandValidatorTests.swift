import Foundation
import ProbeCore
import Testing

@testable import Transports

/// The validator `command`, with a host that runs no programs.
@Suite struct CommandValidatorTests {
  private static func judge(
    _ host: FakeProgramHost, _ options: CommandValidator.Options = .init(["judge.sh"]),
    _ response: ProbeResponse = .example(body: "hello")
  ) async throws -> Validation {
    var request = ProbeRequest(response.url)
    request[ProgramContext.self] = ProgramContext(host, folder: "/etc/probes")
    return try await CommandValidator(options: options).judgement(of: response, to: request)
  }

  @Test func exitCodeZeroAccepts() async throws {
    let host = FakeProgramHost(.exited(0), "whatever")
    #expect(try await Self.judge(host) == .accepted)
    let order = try #require(host.requested.first)
    #expect(order.program.arguments == ["judge.sh"])
    #expect(order.program.folder == "/etc/probes")
    #expect(order.program.searchPath.isEmpty)
    #expect(order.program.environment.isEmpty)
    #expect(order.limit == .seconds(5))
  }

  @Test func theResponseIsItsInput() async throws {
    let host = FakeProgramHost(.exited(0))
    _ = try await Self.judge(host)
    let input = try #require(host.requested.first?.input)
    #expect(input == ResponseMessage.json(of: .example(body: "hello"), hasText: true) + [0x0A])
    let json = try JSONSerialization.jsonObject(with: Data(input)) as? [String: Any]
    #expect(json?["text"] as? String == "hello")
  }

  static let ends: [(run: ProgramRun, description: String, reason: ReasonCode)] = [
    (
      ProgramRun(.exited(1), output: Array("\n  the disk is full \nmore".utf8)),
      "expected exit code 0 from judge.sh, found code 1: the disk is full", .rejected
    ),
    (
      ProgramRun(.exited(1), errors: Array("no: wrong colour\n".utf8)),
      "expected exit code 0 from judge.sh, found code 1: no: wrong colour", .rejected
    ),
    (ProgramRun(.exited(1)), "expected exit code 0 from judge.sh, found code 1", .rejected),
    (
      ProgramRun(.exited(2), errors: Array("syntax error".utf8)),
      "expected exit code 0 from judge.sh, found that judge.sh exited with code 2: syntax error",
      .pluginFailed
    ),
    (
      ProgramRun(.signal(9), output: Array("yes".utf8)),
      "expected exit code 0 from judge.sh, found that judge.sh was ended by signal 9", .pluginFailed
    ),
    (
      ProgramRun(.timedOut, output: Array("yes".utf8)),
      "expected exit code 0 from judge.sh, found that judge.sh took longer than 5s and was ended",
      .pluginTimeout
    ),
    (
      ProgramRun(.tooMuchOutput),
      "expected exit code 0 from judge.sh, found that judge.sh exceeded its output limit and was terminated",
      .pluginFailed
    ),
    (
      ProgramRun(.cancelled),
      "expected exit code 0 from judge.sh, found that judge.sh was terminated because the probe was cancelled",
      .cancelled
    ),
    (
      ProgramRun(.notStarted("permission denied")),
      "expected exit code 0 from judge.sh, found that judge.sh could not be started: permission denied",
      .pluginFailed
    ),
  ]

  @Test(arguments: ends.indices) func nothingElseAccepts(_ index: Int) async throws {
    let (run, description, reason) = Self.ends[index]
    let judgement = try await Self.judge(FakeProgramHost { _ in run })
    #expect(judgement.rejection?.description == description)
    #expect(judgement.rejection?.reason == reason)
  }

  @Test func textsAreShortAndSafeToPrint() async throws {
    let text = "\u{1B}]0;owned\u{7}" + String(repeating: "ä", count: 500)
    let found = try #require(try await Self.judge(FakeProgramHost(.exited(1), text)).rejection?.found)
    #expect(found.hasPrefix("code 1: \\x1b]0;owned\\x07ää"))
    #expect(found.hasSuffix("…"))
    #expect(found.utf8.count < 240)
  }

  @Test func theLongFormSetsAllOptions() async throws {
    var options = CommandValidator.Options(["judge.sh", "-v"])
    (options.timeout, options.environment, options.memory, options.sandbox) = ("90s", ["HOME"], "64MiB", true)
    let host = FakeProgramHost(.timedOut)
    let judgement = try await Self.judge(host, options)
    #expect(judgement.rejection?.found == "that judge.sh took longer than 90s and was ended")
    let order = try #require(host.requested.first)
    #expect(order.program.environment == ["HOME"])
    #expect(order.program.limits.memory == 64 << 20)
    #expect(order.program.isSandboxed)
    #expect(order.limit == .seconds(90))
  }

  @Test func withoutPermissionNothingIsAccepted() async throws {
    let command = try CommandValidator(options: .init(["true"]))
    let response = ProbeResponse.example(body: "hello")
    let judgement = await command.judgement(of: response, to: ProbeRequest(response.url))
    #expect(judgement.rejection?.reason == .pluginFailed)
    // It is not accepted before the judgement is known, either.
    #expect(command.validate(response).rejection?.isUndecided == true)
    var judged = response
    judged.judgements = ProgramJudgements()
    #expect(!command.validate(judged).isAccepted)
    #expect(judged.judgements?.takeMissing()?.programUse == command.programUse)
    judged.judgements?.add(.accepted, of: command)
    #expect(command.validate(judged).isAccepted)
  }

  /// A judgement belongs to the entire command, including all options.
  @Test func everyOptionDistinguishesACommand() throws {
    let base = CommandValidator.Options(["a", "b"])
    var others = (0..<6).map { _ in base }
    others[0].run = ["a b"]
    others[1].run = ["a", "b", ""]
    others[2].timeout = "6s"
    others[3].environment = ["HOME"]
    others[4].memory = "64MiB"
    others[5].sandbox = true
    let uses = try ([base, base] + others).map { try CommandValidator(options: $0).programUse }
    #expect(uses[0] == uses[1])
    #expect(Set(uses).count == 7)
  }

  @Test func invalidOptionsAreRefused() throws {
    func mistake(_ change: (inout CommandValidator.Options) -> Void) -> InvalidInput? {
      var options = CommandValidator.Options(["judge.sh"])
      change(&options)
      return #expect(throws: InvalidInput.self) { try CommandValidator(options: options) }
    }
    #expect(mistake { $0.run = [] }?.message == "there is no program")
    #expect(mistake { $0.run = ["/"] }?.message == #""/" does not name a program"#)
    #expect(mistake { $0.run = ["a\0"] }?.message.contains("NUL") == true)
    #expect(mistake { $0.timeout = "0ms" }?.path == ["timeout"])
    #expect(mistake { $0.timeout = "soon" }?.path == ["timeout"])
    #expect(mistake { $0.memory = "1KiB" }?.path == ["memory"])
    #expect(mistake { $0.environment = ["A=1"] }?.message.contains("environment variable") == true)
  }
}
