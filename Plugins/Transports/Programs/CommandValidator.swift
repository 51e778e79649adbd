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
      let bytes = try InvalidInput.at(key: "memory", ValueSyntax.byteCount(memory, in: 0...Int.max))
      try InvalidInput.at(key: "memory", Program.check(memory: bytes))
      program.limits.memory = bytes
    }
    try program.check()
    self.program = program
    let times = Duration.milliseconds(1) ... .seconds(3600)
    limit = try InvalidInput.at(key: "timeout", ValueSyntax.duration(options.timeout ?? "5s", in: times))
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

extension CommandValidator {
  /// The command and its limits: in a file `command: [jq, -e, .text]`, or a mapping with `run`.
  package struct Options: Hashable, Sendable {
    /// The program and its arguments.
    package var run: [String]
    /// The time limit, as written, such as `10s`; nil for the default.
    package var timeout: String?
    /// The names of the environment variables that the command receives.
    package var environment: [String] = []
    /// The data limit of each of its processes, as written, such as `256MiB`; nil for the default.
    package var memory: String?
    /// Whether the command runs without access to the network and to files.
    package var sandbox = false

    /// Creates options with the default limits.
    package init(_ run: [String]) {
      self.run = run
    }
  }

  /// The responses include the judgements of the program, which examples do not run.
  package static var examples: [ValidatorExample<Options>] {
    let short = Options(["jq", "-e", ".text == \"ready\""])
    var long = short
    (long.timeout, long.environment, long.memory, long.sandbox) = ("10s", ["LANG"], "64MiB", true)
    return [short, long].map { options in
      ValidatorExample(
        options, accepts: .example(body: "ready", judgedBy: options, as: 0),
        rejects: .example(body: "starting", judgedBy: options, as: 1))
    }
  }
}

extension ProbeResponse {
  /// A response with the judgement of a command that exited with the given code.
  fileprivate static func example(
    body: String, judgedBy options: CommandValidator.Options, as code: Int
  ) -> ProbeResponse {
    var response = ProbeResponse.example(body: body)
    guard let command = try? CommandValidator(options: options) else { return response }
    let judgements = ProgramJudgements()
    judgements.add(command.judgement(by: ProgramRun(.exited(code))), of: command)
    response.judgements = judgements
    return response
  }
}

extension CommandValidator.Options: DeclaredOptions {
  /// A list, or a mapping with `run`.
  package static let declaration = OptionsDeclaration(
    Self([]), short: .value(\.run, list),
    [
      OptionField(
        "run", \.run, list, required: true, summary: "the program and its arguments; no shell reads them"),
      OptionField("timeout", \.timeout, .duration, default: "5s", summary: "how long it may take"),
      OptionField(
        "environment", \.environment, default: "none",
        summary: "the environment variables to pass to it, by name; no others are passed"),
      OptionField(
        "memory", \.memory, .byteCount, default: "512MiB",
        summary: "the limit of data memory for each of its processes (RLIMIT_DATA)"),
      OptionField(
        "sandbox", \.sandbox, default: "false",
        summary:
          "whether it runs in bubblewrap, without a network and without files except those of the system"),
    ])

  private static let list = ValueSchema.list(of: .text, atLeast: 1)
}
