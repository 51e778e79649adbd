package import ProbeCore

/// Monitoring plugins: programs whose exit code is 0 for OK, 1 for a warning, 2 for critical and 3 for unknown.
///
/// They have the interface of the Monitoring Plugins project and of Nagios. The body of the response is the
/// whole output. Each value of the performance data is a capture with the label as its name.
package struct CheckTransport: ProgramTransport {
  /// The usual folders of monitoring plugins, which are searched first for a name without a slash.
  private static let folders = [
    "/usr/lib/nagios/plugins", "/usr/lib/monitoring-plugins", "/usr/lib64/nagios/plugins",
    "/usr/local/libexec/nagios",
  ]

  package init() {}

  /// The scheme of checks; whether a program encrypts its exchanges is unknown.
  package var schemes: [URLScheme: Encryption] { [.check: .unknown] }

  /// Checks that the request has a program, and no settings for ProbeKit's own connections.
  ///
  /// - Throws: `InvalidInput` naming the part.
  package func check(_ request: ProbeRequest) throws(InvalidInput) {
    guard let check = request[ProgramCheck.self], !check.program.arguments.isEmpty else {
      throw InvalidInput(
        "\(request.url) is only the name of a check in reports",
        remedy: "name its program in a pipeline file, as in { check: [check_ssh, -H, example.com] }")
    }
    try check.program.check()
    let unused = [
      ("a proxy", "proxy", request.proxy != nil),
      ("an outgoing interface", "interface", request.source != nil),
      ("an address family", "family", request.family != nil),
    ].first(where: \.2)
    if let unused {
      throw InvalidInput(
        "\(unused.0) cannot be set for a check, because a program makes its own connections",
        remedy: "use an option of \(Excerpt(check.program.name))"
      ).about(unused.1)
    }
  }

  /// The keys for the timeout, retries, the size of the output, and the resources of the program.
  package func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // Checks have no redirects.
    RequestKey.common.filter { $0.name != "redirects" } + ProgramCheck.keys
  }

  /// Runs the program.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  package func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension CheckTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    guard let context = request[ProgramContext.self] else {
      throw ProbeFailure(.invalidRequest, "a check runs a program, which only --allow-commands permits")
    }
    let check = request.programCheck
    var program = check.program
    (program.folder, program.searchPath) = (context.folder, Self.folders)
    let start = ContinuousClock.now
    let run = await context.host.run(program, input: [], within: request.timeout)
    var response = ProbeResponse(url: request.url)
    response.timings.total = start.duration(to: .now)
    return try check.response(run, to: request, response)
  }
}

extension ProgramCheck {
  /// Creates the response for a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - request: The request.
  ///   - empty: The response without the output.
  /// - Returns: The response for an accepted run.
  /// - Throws: `ProbeFailure` with the response for any other run.
  func response(
    _ run: ProgramRun, to request: ProbeRequest, _ empty: ProbeResponse
  ) throws(ProbeFailure) -> ProbeResponse {
    let output = CheckOutput(run.output)
    var response = empty
    response.body = Array(run.output.prefix(request.maxBody))
    response.bodyIsCut = run.output.count > request.maxBody
    response.performance = output.values
    response.captures = Dictionary(output.values.map { ($0.label, $0.text) }) { first, _ in first }
    let text = ProgramRun.firstLine(of: output.summary) ?? ProgramRun.firstLine(of: run.errors)
    let reason: ReasonCode
    switch run.end {
    case .exited(0): return response
    case .exited(1) where acceptsWarnings: return response
    case .exited(1): reason = .checkWarning
    case .exited(2): reason = .checkCritical
    case .exited(3): reason = .checkUnknown
    default:
      let (reason, words) = run.problem(of: program.name, within: request.timeout, timeout: .totalTimeout)
      throw ProbeFailure(reason, words, partial: response)
    }
    throw ProbeFailure(
      reason, text ?? "\(program.name) \(run.end.words) and printed nothing", partial: response)
  }
}

extension ProgramCheck {
  /// The keys of `request` for the resources of a check's program.
  static let keys: [RequestKey] = [
    RequestKey(
      "environment", \.programCheck.program.environment, default: "none",
      summary: "the environment variables to pass to the program, by name; no others are passed"
    ) { (names: [String]) in
      try Program.check(environment: names)
      return names
    },
    RequestKey(
      "memory", \.programCheck.program.limits.memory, default: "512MiB",
      summary: "the limit of data memory for each process of the program (RLIMIT_DATA)"
    ) { (size: ByteCount) in
      try Program.check(memory: size.bytes)
      return size.bytes
    },
    RequestKey(
      "sandbox", \.programCheck.program.isSandboxed, default: "false",
      summary:
        "whether the program runs in bubblewrap, without a network and without files except those of the system"
    ),
  ]
}
