import ProbeCore

/// Whether encrypted traffic reaches its servers: nobody on the path can respond to it instead of them.
struct EncryptedTraffic {
  /// What is known.
  enum State {
    /// A server responded over a verified connection.
    case verified
    /// The network stopped encrypted connections, or presented certificates of its own, and none was verified.
    case stopped
    /// No encrypted probe shows either.
    case unknown
  }

  private var isVerified = false
  private var isStopped = false
  private var pending = 0

  /// What is known so far.
  var state: State { isVerified ? .verified : isStopped ? .stopped : .unknown }
  /// Whether pending responses cannot change it.
  var isSettled: Bool { isVerified || pending == 0 }
  /// Whether a server responds over a verified connection, or still may.
  var mayPass: Bool { isVerified || pending > 0 }
  /// Whether it is stopped, or still may be.
  var mayBeStopped: Bool { !isVerified && (isStopped || pending > 0) }

  /// An encrypted probe is pending.
  mutating func expect() { pending += 1 }

  /// An encrypted probe is no longer pending.
  mutating func end() { pending -= 1 }

  /// Records the result of a probe; those that are not encrypted, or that reached this machine, do not count.
  mutating func record(_ probe: ProbeResult) {
    guard probe.outcome == .accepted || probe.outcome == .failed, !probe.isOfThisMachine,
      probe.knownEncryption == .encrypted
    else { return }
    if probe.outcome == .accepted || probe.hasResponse {
      isVerified = true
    } else if probe.wasStopped, !probe.failed(with: .certificateDate) {
      // A wrong date is the fault of a clock, and not of the network.
      isStopped = true
    }
  }
}
