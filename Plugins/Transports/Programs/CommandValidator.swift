package import ProbeCore

/// Accepts a response that a command accepts; `command` in a pipeline file.
///
/// The command receives the response as JSON on standard input. Its exit code is the judgement: 0 accepts,
/// 1 rejects, and any other code is an error.
package struct CommandValidator: ConfigurableValidator, ProgramValidator {
  /// The key in a pipeline file.
  package static let name = "command"
  /// A summary of the accepted responses.
  package static let summary: String? =
    "a command, which receives the response as JSON, exits with 0; 1 is a rejection; it runs only with --allow-commands"

  /// Identifies the command and its limits.
  package let programUse: String
  private let program: Program
  private let limit: Duration

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the options are invalid.
  package init(options: Options) throws(InvalidInput) {
    var program = Program(options.run)
    program.environment = options.environment
    program.isSandboxed = options.sandbox
    if let memory = options.memory {
      program.limits.memory = try InvalidInput.at("memory") { () throws(InvalidInput) in
        let bytes = try ValueSyntax.byteCount(memory, in: 0...Int.max)
        try Program.check(memory: bytes)
        return bytes
      }
    }
    try program.check()
    self.program = program
    limit = try InvalidInput.at("timeout") { () throws(InvalidInput) in
      try ValueSyntax.duration(options.timeout ?? "5s", in: .milliseconds(1) ... .seconds(3600))
    }
    programUse = "command \(program) \(limit)"
  }

  /// Runs the command to judge a response.
  package func judgement(of response: ProbeResponse, to request: ProbeRequest) async -> Validation {
    guard let context = request[ProgramContext.self] else {
      return .rejected(
        .pluginFailed, expected: expected,
        found: "that commands are not allowed: --allow-commands permits them")
    }
    var program = program
    program.folder = context.folder
    let message = ResponseMessage.json(of: response, hasText: true) + "\n".utf8
    return judgement(by: await context.host.run(program, input: message, within: limit))
  }

  private var expected: String { "exit code 0 from \(program.name.escapedForDisplay)" }

  /// The judgement from a run of the command.
  func judgement(by run: ProgramRun) -> Validation {
    switch run.end {
    case .exited(0): return .accepted
    case .exited(1):
      return .rejected(expected: expected, found: "code 1" + (run.firstLine.map { ": \($0)" } ?? ""))
    default:
      let (reason, words) = run.problem(of: program.name, within: limit, timeout: .pluginTimeout)
      return .rejected(reason, expected: expected, found: "that \(words)")
    }
  }
}
