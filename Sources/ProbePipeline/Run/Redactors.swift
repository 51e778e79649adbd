import Locking
import ProbeCore

/// The redactors of a run, each made once: the probes of a pipeline mostly share their secrets, and to make a redactor
/// takes more work than to use it.
final class Redactors: Sendable {
  /// How many are kept; a run with more secrets makes those beyond anew.
  private static let capacity = 64

  private let made = Guarded<[[Secret]: Redactor]>([:])

  /// What takes the secrets of a request out of what is said of its answer; nil when it has none.
  func redactor(for request: ProbeRequest) -> Redactor? {
    let secrets = request.secrets
    guard !secrets.isEmpty else { return nil }
    if let known = made.withLock({ $0[secrets] }) { return known.isEmpty ? nil : known }
    let redactor = Redactor(secrets)
    made.withLock { if $0.count < Self.capacity { $0[secrets] = redactor } }
    return redactor.isEmpty ? nil : redactor
  }

  /// Whether that takes so long that it must be done aside.
  func takeLong(for request: ProbeRequest, _ answer: ProbeResponse) -> Bool {
    let secrets = request.secrets
    guard !secrets.isEmpty else { return false }
    let isMade = made.withLock { $0[secrets] != nil }
    return request.takesLongToRedact(answer, by: isMade ? [] : secrets)
  }
}
