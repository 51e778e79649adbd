internal import ProbeBase

/// Runs the programs that pipeline files name.
///
/// A request has a host only if its user allowed programs.
package protocol ProgramHost: AnyObject, Sendable {
  /// Runs a program once, to its end.
  ///
  /// If the task is cancelled, the program is terminated with its process group.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - input: Its standard input.
  ///   - limit: The timeout, after which the program is terminated with its process group.
  /// - Returns: The end of the run, with the output.
  func run(_ program: Program, input: [UInt8], within limit: Duration) async -> ProgramRun

  /// Sends a message to a plugin, starting it if it is not running, and waits for its response.
  ///
  /// - Parameters:
  ///   - plugin: The plugin.
  ///   - message: The members of the message besides `id` and `deadlineMs`, as JSON without the braces.
  ///   - limit: The timeout.
  /// - Returns: The response, or the reason why there is none.
  func query(_ plugin: PluginProgram, _ message: [UInt8], within limit: Duration) async -> PluginResponse
}

/// A long-running program that responds to messages: a plugin in another process.
package struct PluginProgram: Hashable, Sendable {
  /// The role of a plugin.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It judges responses.
    case validator
    /// It performs probes.
    case transport
  }

  /// Its name in the pipeline file.
  package var name: String
  package var kind: Kind
  package var program: Program
  /// The maximum number of messages of each process without a response; further ones wait.
  package var inFlight = 64
  /// The number of its processes that run concurrently.
  package var processes = 1
  /// The timeout for a response.
  package var timeout = Duration.seconds(5)

  /// Creates a plugin with the default limits.
  package init(_ name: String, _ kind: Kind, _ program: Program) {
    (self.name, self.kind, self.program) = (name, kind, program)
  }
}

/// The response of a plugin to a message.
package enum PluginResponse: Hashable, Sendable {
  /// The response is accepted; the values are captures.
  case accepted([String: String])
  /// The response is rejected, for a reason if it gave one, with a text.
  case rejected(ReasonCode?, String)
  case response(ProbeResponse)
  case failed(ProbeFailure)
  /// There is no response: the plugin reports an error, ended, broke the protocol, or took too long.
  case none(ReasonCode, String)
}

extension PluginResponse: CustomStringConvertible {
  /// The response in words, such as `rejected: status is down`.
  package var description: String {
    switch self {
    case .accepted(let captures): captures.isEmpty ? "accepted" : "accepted, with captures"
    case .rejected(let reason, let detail):
      "rejected" + (reason.map { " with \($0)" } ?? "") + (detail.isEmpty ? "" : ": \(detail)")
    case .response: "a response"
    case .failed(let failure): "a failure, \(failure)"
    case .none(_, let detail): "no judgement: \(detail)"
    }
  }
}

/// The program host of a request, and the folder of its pipeline file.
package struct ProgramContext: Sendable {
  package let host: any ProgramHost
  /// The folder of the pipeline file; empty for the current directory.
  package let folder: String

  package init(_ host: any ProgramHost, folder: String) {
    (self.host, self.folder) = (host, folder)
  }
}

/// A transport whose probes are performed by a program; its requests have a ``ProgramContext``.
package protocol ProgramTransport: ProbeTransport {}

/// Checks the properties of a program from a file.
extension Program {
  /// Checks all parts.
  ///
  /// - Throws: ``InvalidInput`` for a program without a name, and for a part that is not valid.
  package func check() throws(InvalidInput) {
    guard let first = arguments.first else {
      throw InvalidInput("there is no program", remedy: "list its name and arguments, as in [jq, -e, .text]")
    }
    guard !name.isEmpty else {
      throw InvalidInput("\(Excerpt(first)) does not name a program", remedy: "name a file")
    }
    for (index, argument) in arguments.enumerated() where argument.utf8.contains(0) {
      let part = index == 0 ? "the name of the program" : "argument \(index) of \(Excerpt(name))"
      throw InvalidInput("\(part) contains a NUL, which no program can receive", remedy: "remove it")
    }
    try Self.check(environment: environment)
    try Self.check(memory: limits.memory)
  }

  /// Checks the names of environment variables.
  ///
  /// - Throws: ``InvalidInput`` for a name that no variable can have.
  package static func check(environment names: [String]) throws(InvalidInput) {
    for name in names where name.isEmpty || name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") })
    {
      throw InvalidInput(
        "\(Excerpt(name)) is not the name of an environment variable",
        remedy: "list only names, as in [HOME]: each variable keeps its value"
      ).about("environment")
    }
  }

  /// Checks a memory limit.
  ///
  /// - Throws: ``InvalidInput`` for a limit with which no program can start, or that exceeds the memory of
  ///   any machine.
  package static func check(memory bytes: Int) throws(InvalidInput) {
    let bounds = ByteCount(4 << 20)...ByteCount(64 << 30)
    try ByteCount(bytes).check(in: bounds, noun: "the memory of ", about: "memory")
  }
}

/// A validator that leaves the judgement to a program.
///
/// When a response is judged and this validator's judgement is needed, ``judgement(of:to:)`` obtains it; then the
/// response is judged again, with that judgement in its ``ProgramJudgements``.
package protocol ProgramValidator: ResponseValidator {
  /// Identifies the program and its options; validators with equal values judge a response equally.
  var programUse: String { get }

  /// Obtains the program's judgement of a response.
  ///
  /// - Parameters:
  ///   - response: The response, without secrets.
  ///   - request: Its request, with a ``ProgramContext``.
  /// - Returns: The judgement.
  func judgement(of response: ProbeResponse, to request: ProbeRequest) async -> Validation
}

extension ProgramValidator {
  /// The content, and what the program finds in it.
  package var judges: ResponseParts { [.content, .program] }

  /// The known judgement, or an undecided rejection if there is none yet.
  package func validate(_ response: ProbeResponse) -> Validation {
    response.judgements?.judgement(of: self)
      ?? .rejected(.pluginFailed, expected: "the judgement of a program", found: "none")
  }
}

/// The judgements of programs on one response, and the first one that was needed and is missing.
@usableFromInline package final class ProgramJudgements: Sendable {
  private struct State {
    var known: [String: Validation] = [:]
    var missing: (any ProgramValidator)?
  }

  private let state = Guarded(State())

  package init() {}

  /// The judgement of a validator; if there is none, it is the next one to obtain.
  func judgement(of validator: some ProgramValidator) -> Validation? {
    state.withLock { state in
      let known = state.known[validator.programUse]
      if known == nil, state.missing == nil { state.missing = validator }
      return known
    }
  }

  package func add(_ judgement: Validation, of validator: any ProgramValidator) {
    state.withLock { $0.known[validator.programUse] = judgement }
  }

  /// The first validator whose judgement was needed and is missing, since the last call.
  package func takeMissing() -> (any ProgramValidator)? {
    state.withLock { $0.missing.take() }
  }
}

// The judgements follow from the response, so equal responses need not have the same collection.
extension ProgramJudgements: Hashable {
  /// Any two are equal.
  @usableFromInline package static func == (left: ProgramJudgements, right: ProgramJudgements) -> Bool {
    true
  }

  /// Hashes nothing.
  @usableFromInline package func hash(into hasher: inout Hasher) {}
}
