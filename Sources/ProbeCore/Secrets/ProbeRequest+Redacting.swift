/// Taking secrets out without holding up the threads that connections share.
extension ProbeRequest {
  /// How many bytes of text are looked through, and of secrets made ready to be looked for, where an answer comes in.
  ///
  /// That takes a millisecond; whatever takes longer must not be done on the thread of a transport's loop.
  private static let mostAtOnce = 16 * 1024

  /// Whether taking the secrets out of an answer takes so long that it must be done aside.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - secrets: Those of which a redactor is still to be made.
  /// - Returns: Whether it does.
  package func takesLongToRedact(_ answer: ProbeResponse?, by secrets: [Secret]) -> Bool {
    // Base64 at three alignments, UTF-16 and hexadecimal are some eighteen forms of each byte.
    let forms = secrets.reduce(0) { $0 + 18 * $1.withText(\.utf8.count) }
    return forms + (answer?.body.count ?? 0) + (answer?.head?.fields.byteCount ?? 0) > Self.mostAtOnce
  }

  /// A failure without the secrets.
  // Not a part of its caller, in which thousands of probes wait: they need no room for it until then.
  @inline(never)
  nonisolated(nonsending) func redacted(_ failure: ProbeFailure) async -> ProbeFailure {
    let secrets = secrets
    guard !secrets.isEmpty, takesLongToRedact(failure.partial, by: secrets) else {
      return redactor?.failure(failure) ?? failure
    }
    return await Task(executorPreference: globalConcurrentExecutor) { redactor?.failure(failure) ?? failure }
      .value
  }
}
