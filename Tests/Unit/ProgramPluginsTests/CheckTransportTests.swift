import ProbeCore
import ProbeTesting
import TestRequirements
import Testing

@testable import Transports

/// Checks with monitoring plugins, with a host that runs no programs.
@Suite struct CheckTransportTests {
  /// The request of a check.
  private static func request(
    _ arguments: [String] = ["check_ssh", "-H", "192.0.2.1"], with host: (any ProgramHost)? = nil,
    change: (inout ProgramCheck) -> Void = { _ in }
  ) -> ProbeRequest {
    var check = ProgramCheck()
    check.program = Program(arguments)
    change(&check)
    var request = ProbeRequest(ProbeURL(check: check.program))
    request[ProgramCheck.self] = check
    request[ProgramContext.self] = host.map { ProgramContext($0, folder: "/etc/probes") }
    return request
  }

  private static func failure(_ request: ProbeRequest) async -> ProbeFailure? {
    await #expect(throws: ProbeFailure.self) { try await CheckTransport().probe(request) }
  }

  @Test func okIsAResponse() async throws {
    let host = FakeProgramHost(.exited(0), "SSH OK - OpenSSH_9.2 | time=0.012s;;;0;10\n")
    let response = try await CheckTransport().probe(Self.request(with: host))
    #expect(response.url.string == "check://check_ssh")
    #expect(response.body == Array("SSH OK - OpenSSH_9.2 | time=0.012s;;;0;10\n".utf8))
    #expect(!response.bodyIsCut)
    #expect(response.captures == ["time": "0.012"])
    #expect(response.performance == [PerformanceValue("time", 0.012, text: "0.012", unit: "s")])
    #expect(response.timings.total != nil)
  }

  @Test func theProgramIsSearchedInThePluginFolders() async throws {
    let host = FakeProgramHost(.exited(0))
    var request = Self.request(["check_disk", "-w", "10%"], with: host) { check in
      check.program.environment = ["HOME"]
      check.program.limits.memory = 64 << 20
      check.program.isSandboxed = true
    }
    request.timeout = .seconds(7)
    _ = try await CheckTransport().probe(request)
    let order = try #require(host.requested.first)
    #expect(order.program.arguments == ["check_disk", "-w", "10%"])
    #expect(order.program.folder == "/etc/probes")
    #expect(
      order.program.searchPath == [
        "/usr/lib/nagios/plugins", "/usr/lib/monitoring-plugins", "/usr/lib64/nagios/plugins",
        "/usr/local/libexec/nagios",
      ])
    #expect(order.program.environment == ["HOME"])
    #expect(order.program.limits.memory == 64 << 20)
    #expect(order.program.isSandboxed)
    #expect(order.input.isEmpty)
    #expect(order.limit == .seconds(7))
  }

  static let ends: [(end: ProgramRun.End, output: String, errors: String, description: String)] = [
    (.exited(1), "DISK WARNING - 9% | /=9%", "", "check.warning: DISK WARNING - 9%"),
    (.exited(2), "CRITICAL\nmore\n", "", "check.critical: CRITICAL"),
    (.exited(3), "", "usage: check_ssh", "check.unknown: usage: check_ssh"),
    (.exited(2), "", "", "check.critical: check_ssh exited with code 2 and printed nothing"),
    (.exited(2), "|a=1", "", "check.critical: check_ssh exited with code 2 and printed nothing"),
    (.exited(4), "odd", "", "plugin.failed: check_ssh exited with code 4: odd"),
    (.exited(127), "", "", "plugin.failed: check_ssh exited with code 127"),
    (.signal(11), "OK", "", "plugin.failed: check_ssh was ended by signal 11"),
    (.timedOut, "OK", "", "timeout.total: check_ssh took longer than 5s and was ended"),
    (.tooMuchOutput, "OK", "", "plugin.failed: check_ssh exceeded its output limit and was terminated"),
    (.cancelled, "OK", "", "cancelled: check_ssh was terminated because the probe was cancelled"),
    (
      .notStarted("no such file"), "", "",
      "plugin.failed: check_ssh could not be started: no such file"
    ),
  ]

  @Test(arguments: ends.indices) func everythingElseIsAFailure(_ index: Int) async throws {
    let (end, output, errors, description) = Self.ends[index]
    let host = FakeProgramHost(end, output, errors: errors)
    let failure = await Self.failure(Self.request(with: host))
    #expect(failure?.description == description)
    #expect(failure?.partial?.body == Array(output.utf8))
    #expect(failure?.partial?.timings.total != nil)
  }

  @Test func aFailureHasThePerformanceData() async throws {
    let host = FakeProgramHost(.exited(2), "LOAD CRITICAL | load1=9.5;5;8")
    let failure = await Self.failure(Self.request(with: host))
    #expect(failure?.partial?.captures == ["load1": "9.5"])
    #expect(failure?.partial?.performance.count == 1)
  }

  @Test func aWarningCanBeAccepted() async throws {
    let host = FakeProgramHost(.exited(1), "DISK WARNING")
    let response = try await CheckTransport().probe(Self.request(with: host) { $0.acceptsWarnings = true })
    #expect(response.body == Array("DISK WARNING".utf8))
    for end in [ProgramRun.End.exited(2), .exited(3), .timedOut, .signal(1)] {
      let request = Self.request(with: FakeProgramHost(end)) { $0.acceptsWarnings = true }
      #expect(await Self.failure(request) != nil, "\(end)")
    }
  }

  @Test func textsAreShortAndSafeToPrint() async throws {
    let text = "CRITICAL \u{1B}[2J" + String(repeating: "x", count: 1000)
    let failure = await Self.failure(Self.request(with: FakeProgramHost(.exited(2), text)))
    let detail = try #require(failure?.detail)
    #expect(detail.hasPrefix("CRITICAL \\x1b[2Jxxx"))
    #expect(detail.hasSuffix("x…"))
    #expect(detail.utf8.count < 220)
  }

  @Test func withoutPermissionNothingRuns() async throws {
    let failure = await Self.failure(Self.request())
    #expect(
      failure?.description
        == "request.invalid: a check runs a program, which only --allow-commands permits")
  }

  @Test func aURLIsNotACheck() async throws {
    let request = ProbeRequest(try ProbeURL("check://check_ssh"))
    let mistake = #expect(throws: InvalidInput.self) { try CheckTransport().check(request) }
    #expect(
      mistake?.description
        == "check://check_ssh is only the name of a check in reports: name its program in a pipeline file, as in "
        + "{ check: [check_ssh, -H, example.com] }")
    // A prober does not run it either, whatever the policy.
    var registry = TransportRegistry()
    try registry.register(CheckTransport())
    let failure = await #expect(throws: ProbeFailure.self) {
      try await Prober(registry, policy: .plaintextAllowed).probe(request)
    }
    #expect(failure?.reason == .invalidRequest)
  }

  @Test func invalidRequestsAreRefused() throws {
    func mistake(_ change: (inout ProbeRequest) throws -> Void) rethrows -> String? {
      var request = Self.request()
      try change(&request)
      return #expect(throws: InvalidInput.self) { try CheckTransport().check(request) }?.message
    }
    try CheckTransport().check(Self.request())
    #expect(
      mistake { $0[ProgramCheck.self]?.program.arguments = ["check_ssh", "a\0b"] }
        == #"argument 1 of "check_ssh" contains a NUL, which no program can receive"#)
    #expect(mistake { $0[ProgramCheck.self]?.program.arguments = [""] } == #""" does not name a program"#)
    #expect(
      mistake { $0[ProgramCheck.self]?.program.environment = ["A=B"] }
        == #""A=B" is not the name of an environment variable"#)
    #expect(
      mistake { $0[ProgramCheck.self]?.program.limits.memory = 1 } == "the memory of 1 is out of bounds")
    let own = "cannot be set for a check, because a program makes its own connections"
    #expect(mistake { $0.family = .v6 } == "an address family \(own)")
    #expect(try mistake { $0.source = try ProbeSource("eth0") } == "an outgoing interface \(own)")
    #expect(try mistake { $0.proxy = try ProbeProxy("http://proxy.example:3128") } == "a proxy \(own)")
  }

  @Test func theRequestKeysAreThoseOfAProgram() {
    #expect(
      CheckTransport().requestKeys(for: .check).map(\.name) == [
        "timeout", "maxBody", "retries", "backoff", "environment", "memory", "sandbox",
      ])
  }

  @Test(arguments: [
    (["check_http"], "check://check_http"),
    (["/opt/Plugins/Check My.SQL"], "check://check-my.sql"),
    (["./überprüfe"], "check://--berpr--fe"),
    (["check@home:8080"], "check://check-home-8080"),
    (["v1.2"], "check://program"), ([".."], "check://program"), ([], "check://program"),
    ([String(repeating: "n", count: 300)], "check://" + String(repeating: "n", count: 63)),
  ])
  func theURLHasTheNameOfTheProgram(_ arguments: [String], _ url: String) throws {
    #expect(ProbeURL(check: Program(arguments)).string == url)
    #expect(try ProbeURL(url).scheme == .check)
  }

  @Test func thePolicyDoesNotApplyToIt() async throws {
    var registry = TransportRegistry()
    try registry.register(CheckTransport())
    let prober = Prober(registry, policy: .httpsOnly)
    let response = try await prober.probe(Self.request(with: FakeProgramHost(.exited(0), "OK")))
    #expect(response.body == Array("OK".utf8))
  }

  @Test func aFailureIsRetried() async throws {
    var registry = TransportRegistry()
    try registry.register(CheckTransport())
    let counting = FakeProgramHost(.exited(2), "down")
    var request = Self.request(with: counting)
    request.retries = 2
    request.backoff = RetryBackoff(initial: .milliseconds(1), maximum: .milliseconds(1))
    let failure = await #expect(throws: ProbeFailure.self) { try await Prober(registry).probe(request) }
    #expect(failure?.reason == .checkCritical)
    #expect(counting.requested.count == 3)
  }

  /// A program that the system cannot start is not tried again.
  @Test func aMissingProgramIsNotRetried() async throws {
    var registry = TransportRegistry()
    try registry.register(CheckTransport())
    let host = FakeProgramHost(.notStarted("no such file"))
    var request = Self.request(with: host)
    request.retries = 2
    await #expect(throws: ProbeFailure.self) { try await Prober(registry).probe(request) }
    #expect(host.requested.count == 1)
  }

  /// The rules for every transport, except those about heads and redirects, which programs do not have.
  @Test(.patience(minutes: 5)) func itConforms() async throws {
    let host = FakeProgramHost { order in
      switch order.program.arguments.last {
      case "hang":
        do {
          try await Task.sleep(for: order.limit)
          return ProgramRun(.timedOut)
        } catch {
          return ProgramRun(.cancelled)
        }
      case "long": return ProgramRun(.exited(0), output: [UInt8](repeating: 0x61, count: 1 << 20))
      case "down": return ProgramRun(.exited(2), output: Array("CRITICAL\n\u{1B}[2J".utf8))
      case let text: return ProgramRun(.exited(0), output: Array((text ?? "").utf8))
      }
    }
    func request(_ argument: String) -> ProbeRequest { Self.request(["check_it", argument], with: host) }
    let reports = try await TransportConformance(
      CheckTransport(),
      scenarios: [
        .responds(request("OK - one"), with: "OK - one"), .responds(request("OK - two"), with: "OK - two"),
        .neverResponds(request("hang")), .refuses(request("down"), reason: .checkCritical),
        .endlessBody(request("long")),
      ]
    ).verify()
    #expect(Set(reports[0].notChecked.map(\.rule)) == [.transportRedirect, .transportMaxHead])
  }
}
