/// Redacts secrets without blocking the threads that connections share.
extension ProbeRequest {
  /// The maximum number of bytes of text to search, and of secrets to prepare, on the thread that receives a
  /// response.
  ///
  /// That takes about a millisecond. Longer work must not run on the thread of a transport's event loop.
  private static let maximumAtOnce = 16 * 1024

  /// Whether redacting a response takes so long that it must run on another thread.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - secrets: The secrets for which a redactor has yet to be made.
  /// - Returns: Whether it must run on another thread.
  package func takesLongToRedact(_ response: ProbeResponse?, by secrets: [Secret]) -> Bool {
    // The forms (Base64 at three alignments, UTF-16, hexadecimal) are about eighteen times the secret's size.
    let forms = secrets.reduce(0) { $0 + 18 * $1.withText(\.utf8.count) }
    return forms + (response?.body.count ?? 0) + (response?.head?.fields.byteCount ?? 0) > Self.maximumAtOnce
  }

  /// The failure without the secrets.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
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
