internal import ProbeBase

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

  /// Creates an empty collection.
  package init() {}

  /// The judgement of a validator; if there is none, it is the next one to obtain.
  func judgement(of validator: some ProgramValidator) -> Validation? {
    state.withLock { state in
      let known = state.known[validator.programUse]
      if known == nil, state.missing == nil { state.missing = validator }
      return known
    }
  }

  /// Adds a judgement.
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
