import ProbeLocking
import ProbeCore

/// What takes the secrets of a run out of what is said of its answers, each made once: to make a redactor takes more work
/// than to use it.
///
/// One server may know what another one was sent, so the secrets of all probes are looked for in every answer. Where they
/// are very many, which would fill the memory, only those of its own probe are.
final class Redactors: Sendable {
  /// How many are kept; a run with more secrets makes those beyond anew.
  private static let capacity = 64
  /// How many bytes the secrets of a run have at most for all of them to be looked for everywhere.
  private static let mostTogether = 64 * 1024

  /// The secrets of all probes, or nil when they are too many.
  private let shared: [Secret]?
  private let made = Guarded<[[Secret]: Redactor]>([:])

  /// Those of the run of these probes.
  init(_ probes: [PlannedProbe]) {
    var all: Set<Secret> = []
    var bytes = 0
    for probe in probes where bytes <= Self.mostTogether {
      for secret in (try? probe.request.get())?.secrets ?? [] where all.insert(secret).inserted {
        bytes += secret.withText(\.utf8.count)
      }
    }
    shared = bytes <= Self.mostTogether ? Array(all) : nil
  }

  /// What takes out the secrets of all probes, or nil when there are none or too many.
  var ofAll: Redactor? { shared.flatMap(redactor) }

  /// What takes the secrets out of what is said of the answer to a request; nil when there are none.
  func redactor(for request: ProbeRequest) -> Redactor? { redactor(of: shared ?? request.secrets) }

  /// Whether that takes so long that it must be done aside.
  func takeLong(for request: ProbeRequest, _ answer: ProbeResponse?) -> Bool {
    let secrets = shared ?? request.secrets
    guard !secrets.isEmpty else { return false }
    let isMade = made.withLock { $0[secrets] != nil }
    return request.takesLongToRedact(answer, by: isMade ? [] : secrets)
  }

  private func redactor(of secrets: [Secret]) -> Redactor? {
    guard !secrets.isEmpty else { return nil }
    if let known = made.withLock({ $0[secrets] }) { return known.isEmpty ? nil : known }
    let redactor = Redactor(secrets)
    made.withLock { if $0.count < Self.capacity { $0[secrets] = redactor } }
    return redactor.isEmpty ? nil : redactor
  }
}
