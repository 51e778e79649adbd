import ProbePipeline

/// How many runs, a fixture asked by a plan each, go on at a time.
///
/// Those in which the fixture makes its clients wait have places of their own, and many: they cost no work, and the
/// whole is to take as long as one of them waits, not as all of them do one after another. What bounds both are
/// descriptors, which a server and its clients need from the same process.
struct VerificationWidth: Hashable, Sendable {
  /// The most that wait at a time, whatever there is of descriptors: each server has a thread.
  static let mostWaiting = 256
  /// What the process needs besides.
  static let reservedDescriptors = 64

  /// How many of those in which the fixture answers at once.
  let working: Int
  /// How many of those in which the fixture makes its clients wait.
  let waiting: Int

  /// The width for pipelines.
  ///
  /// - Parameters:
  ///   - concurrency: How many may work at a time.
  ///   - plans: What fixtures are asked; each run is one of them.
  ///   - descriptorLimit: How many descriptors this process may have.
  init(concurrency: Int, for plans: [ProbePlan], descriptorLimit: Int) {
    let connections = plans.map { min($0.run.concurrency, $0.probes.count) }.max() ?? 0
    // Both ends of each connection; three ports, the poller and what wakes it, and room for ports of single hosts.
    let each = 2 * connections + 10
    let room = max(2, (descriptorLimit - Self.reservedDescriptors) / each)
    working = max(1, min(concurrency, room / 2))
    waiting = min(Self.mostWaiting, room - working)
  }
}
