import ProbeCore
import ProbeBase
import ProbeReporting

/// The memory that all probes of an exporter share.
final class ProbeMemory: Sendable {
  private struct State {
    var turns: MemoryTurns
    var next = 0
    /// What resumes each waiting probe.
    var waiting: [MemoryTurns.Probe: @Sendable () -> Void] = [:]
  }

  private let state: Guarded<State>

  /// Memory that is free.
  init(_ turns: MemoryTurns = MemoryTurns()) {
    state = Guarded(State(turns: turns))
  }

  /// The maximum number of bytes that a probe may have.
  var maximumBytes: Int { state.withLock(\.turns.maximumBytes) }

  /// The share of a new probe, which has no memory yet.
  ///
  /// - Parameters:
  ///   - target: The target for its turns.
  ///   - keepsBytes: Whether something reads the bytes of its bodies.
  /// - Returns: The share, which must be ended.
  func share(of target: String, keepsBytes: Bool) -> MemoryShare {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return MemoryShare(self, number, of: target, keepsBytes: keepsBytes)
  }

  fileprivate func request(
    _ total: Int, for probe: MemoryTurns.Probe, of target: String,
    orCall resume: @escaping @Sendable () -> Void
  ) -> MemoryTurns.Decision {
    state.withLock { state in
      let decision = state.turns.request(total, for: probe, of: target)
      if decision == .waits { state.waiting[probe] = resume }
      return decision
    }
  }

  fileprivate func end(_ probe: MemoryTurns.Probe, of target: String) {
    // Called outside the lock.
    let resumed = state.withLock { state in
      state.waiting[probe] = nil
      return state.turns.end(probe, of: target).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for resume in resumed { resume() }
  }

  fileprivate func isWaiting(_ probe: MemoryTurns.Probe) -> Bool {
    state.withLock { $0.waiting[probe] != nil }
  }

  /// The metrics in the text format.
  var text: String {
    let turns = state.withLock(\.turns)
    var limit = MetricFamily(
      "probekit_probe_memory_limit_bytes", "The memory that the bodies of all probes share.")
    limit.add([], Double(turns.sharedBytes))
    var held = MetricFamily(
      "probekit_probe_memory_held_bytes", "How much of it the probes hold.")
    held.add([], Double(turns.heldBytes))
    var waits = MetricFamily(
      "probekit_probe_memory_waits_total", "How often a probe had to wait for memory.", .counter)
    waits.add([], "\(turns.waits)")
    var refusals = MetricFamily(
      "probekit_probe_memory_refusals_total", "The probes that got no memory before their end.", .counter)
    refusals.add([], "\(turns.refusals)")
    return [limit, held, waits, refusals].map(\.text).joined()
  }
}

/// The share of one probe in the memory of all: that of the body being received, and of what it is decoded to.
final class MemoryShare: BodyKeeping {
  let keepsBytes: Bool
  private let memory: ProbeMemory
  private let number: MemoryTurns.Probe
  private let target: String
  private let state = Guarded((received: 0, needsTooMuch: false))

  fileprivate init(_ memory: ProbeMemory, _ number: MemoryTurns.Probe, of target: String, keepsBytes: Bool) {
    (self.memory, self.number, self.target) = (memory, number, target)
    self.keepsBytes = keepsBytes
  }

  /// The number of bytes of the latest body that were received.
  var receivedCount: Int { state.withLock(\.received) }

  /// The failure for lack of memory, if the probe lacks any when it ends.
  var shortage: ProbeFailure? {
    if state.withLock(\.needsTooMuch) {
      return ProbeFailure(
        .noMemory, "the body needs more than the \(memory.maximumBytes >> 20) MiB that a probe may have")
    }
    return memory.isWaiting(number) ? .noMemoryInTime : nil
  }

  func begin() {
    state.withLock { $0.received = 0 }
  }

  func received(_ count: Int) {
    state.withLock { $0.received += count }
  }

  func provide(_ count: Int, orCall resume: @escaping @Sendable () -> Void) -> BodyMemory {
    switch memory.request(receivedCount + count, for: number, of: target, orCall: resume) {
    case .granted: return .now
    case .waits: return .later
    case .tooMuch:
      state.withLock { $0.needsTooMuch = true }
      return .never
    }
  }

  /// Returns the memory; the bytes are no longer used.
  func end() { memory.end(number, of: target) }
}

extension ProbeFailure {
  /// The failure of a probe whose time passed before shared memory was free.
  static var noMemoryInTime: ProbeFailure {
    ProbeFailure(.noMemory, "the probes used all their memory until the time of this one had passed")
  }
}
