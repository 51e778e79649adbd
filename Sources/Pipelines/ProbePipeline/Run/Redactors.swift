import ProbeBase
import ProbeCore

/// The redactors of a run, each created once, because creating one is more work than using it.
///
/// A server may know what another server received, so every response is searched for the secrets of all
/// probes. If there are too many secrets to keep in memory, a response is searched only for those of its own
/// probe.
package final class Redactors: Sendable {
  /// The maximum number of redactors to keep; a run with more secrets recreates the others.
  private static let capacity = 64
  /// The maximum total size in bytes of the secrets that are searched for in every response.
  private static let maximumTogether = 64 * 1024

  /// The secrets of all probes, or nil if there are too many.
  private let shared: [Secret]?
  private let made = Guarded<[[Secret]: Redactor]>([:])

  /// Creates the redactors for the run of these probes.
  package init(_ probes: [PlannedProbe]) {
    var all: Set<Secret> = []
    var bytes = 0
    for probe in probes where bytes <= Self.maximumTogether {
      for secret in (try? probe.request.get())?.secrets ?? []
      where !secret.withText(ReferenceSyntax.mayReferToStep) && all.insert(secret).inserted {
        bytes += secret.withText(\.utf8.count)
      }
    }
    shared = bytes <= Self.maximumTogether ? Array(all) : nil
  }

  /// A redactor for the secrets of all probes, or nil if there are none or too many.
  var ofAll: Redactor? { shared.flatMap(redactor) }

  /// A redactor for the response to a request; nil if there are no secrets.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - others: Secrets that only became known during the run.
  /// - Returns: The redactor.
  func redactor(for request: ProbeRequest, and others: [Secret] = []) -> Redactor? {
    let secrets = shared ?? request.secrets
    guard !others.isEmpty else { return redactor(of: secrets) }
    // They belong to this response alone.
    let redactor = Redactor(secrets + others)
    return redactor.isEmpty ? nil : redactor
  }

  /// Whether redacting a response takes so long that it must run on another thread.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - response: The response, or nil for none.
  ///   - others: Secrets that only became known during the run.
  /// - Returns: Whether it takes long.
  func takeLong(for request: ProbeRequest, _ response: ProbeResponse?, and others: [Secret] = []) -> Bool {
    let secrets = shared ?? request.secrets
    guard others.isEmpty else { return request.takesLongToRedact(response, by: secrets + others) }
    guard !secrets.isEmpty else { return false }
    let isMade = made.withLock { $0[secrets] != nil }
    return request.takesLongToRedact(response, by: isMade ? [] : secrets)
  }

  private func redactor(of secrets: [Secret]) -> Redactor? {
    guard !secrets.isEmpty else { return nil }
    if let known = made.withLock({ $0[secrets] }) { return known.isEmpty ? nil : known }
    let redactor = Redactor(secrets)
    made.withLock { if $0.count < Self.capacity { $0[secrets] = redactor } }
    return redactor.isEmpty ? nil : redactor
  }
}
