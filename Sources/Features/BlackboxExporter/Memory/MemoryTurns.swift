/// The memory that all probes share, and the probes that wait for more of it.
///
/// Probes get memory in steps, as their bodies grow. Those that wait are fair by target: each target in turn, and
/// the probes of a target in order. What is enough for a probe of a target without waiting ones is never kept free
/// for others, so that slow targets do not hold up a fast one. So that probes that wait for each other never all
/// wait, a step is granted only if a probe that holds memory can still get all that a probe may need. The probes of
/// one target have at most a part of the memory, so that a slow one leaves room for others.
struct MemoryTurns {
  /// The number of a probe.
  typealias Probe = Int

  /// A probe that waits.
  private struct Waiter {
    let probe: Probe
    let total: Int
  }

  /// The result of a request for memory.
  enum Decision: Hashable {
    case granted
    case waits
    /// No probe may have that much.
    case tooMuch
  }

  /// The number of bytes that a probe has without asking, beyond the shared ones.
  let ownBytes: Int
  /// The maximum number of shared bytes that a probe may have.
  let maximumBytes: Int
  /// The maximum number of shared bytes that the probes of a target may have together.
  let targetBytes: Int
  /// The number of bytes that all probes share.
  let sharedBytes: Int
  private var free: Int
  /// The probes of each target that hold memory, and the sum of what they hold.
  private var holders: [String: (held: [Probe: Int], sum: Int)] = [:]
  private var queues: [String: [Waiter]] = [:]
  /// The targets with waiting probes, in order of their turns.
  private var targets: [String] = []

  /// The number of requests that had to wait.
  private(set) var waits = 0
  /// The number of probes that ended while they waited, or asked for too much.
  private(set) var refusals = 0

  /// Memory that is free.
  init(
    ownBytes: Int = 64 << 10, maximumBytes: Int = 96 << 20, targetBytes: Int = 128 << 20,
    sharedBytes: Int = 256 << 20
  ) {
    (self.ownBytes, self.maximumBytes, self.sharedBytes) = (ownBytes, maximumBytes, sharedBytes)
    self.targetBytes = targetBytes
    free = sharedBytes
  }

  /// The number of shared bytes that probes hold.
  var heldBytes: Int { sharedBytes - free }

  /// A probe needs memory.
  ///
  /// - Parameters:
  ///   - total: The number of bytes that it needs in total.
  ///   - probe: The probe, which does not wait.
  ///   - target: Its target.
  /// - Returns: Whether it has the memory now.
  mutating func request(_ total: Int, for probe: Probe, of target: String) -> Decision {
    let shared = total - ownBytes
    let has = bytes(of: probe, target)
    if shared <= has { return .granted }
    guard shared <= maximumBytes else {
      refusals += 1
      return .tooMuch
    }
    // Twice as much each time, as the capacity of an array grows.
    let wanted = min(maximumBytes, max(shared, 2 * has, ownBytes))
    // A new probe comes after those of its target that wait. One that holds memory need not, so that it ends
    // sooner.
    if has > 0 || queues[target] == nil,
      canGrant(wanted, to: probe, of: target, peakHeld: peakHeld)
    {
      grant(wanted, to: probe, of: target)
      return .granted
    }
    waits += 1
    if queues[target] == nil { targets.append(target) }
    queues[target, default: []].append(Waiter(probe: probe, total: wanted))
    return .waits
  }

  /// A probe has ended, or no longer needs its memory.
  ///
  /// - Returns: The waiting probes that have their memory now, in order.
  mutating func end(_ probe: Probe, of target: String) -> [Probe] {
    if let returned = holders[target]?.held.removeValue(forKey: probe) {
      free += returned
      holders[target]?.sum -= returned
      if holders[target]?.sum == 0 { holders[target] = nil }
    }
    if let index = queues[target]?.firstIndex(where: { $0.probe == probe }) {
      refusals += 1
      remove(at: index, of: target)
    }
    return grantWaiting()
  }

  private mutating func grantWaiting() -> [Probe] {
    var granted: [Probe] = []
    var peakHeld = peakHeld
    // After a grant, a target is the last one.
    var position = 0
    while position < targets.count {
      let target = targets[position]
      let index = queues[target]?.firstIndex { waiter in
        canGrant(waiter.total, to: waiter.probe, of: target, peakHeld: peakHeld)
      }
      guard let index, let waiter = queues[target]?[index] else {
        position += 1
        continue
      }
      grant(waiter.total, to: waiter.probe, of: target)
      peakHeld = max(peakHeld, waiter.total)
      granted.append(waiter.probe)
      remove(at: index, of: target)
      if queues[target] != nil {
        targets.removeAll { $0 == target }
        targets.append(target)
      }
      position = 0
    }
    return granted
  }

  private mutating func remove(at index: Int, of target: String) {
    queues[target]?.remove(at: index)
    guard queues[target]?.isEmpty == true else { return }
    queues[target] = nil
    targets.removeAll { $0 == target }
  }

  private func bytes(of probe: Probe, _ target: String) -> Int { holders[target]?.held[probe] ?? 0 }

  /// The maximum number of bytes that a probe holds.
  private var peakHeld: Int { holders.values.compactMap { $0.held.values.max() }.max() ?? 0 }

  /// Whether the probe that then holds most, of all and of its target, could still receive all that a probe
  /// may need.
  private func canGrant(_ total: Int, to probe: Probe, of target: String, peakHeld: Int) -> Bool {
    let more = total - bytes(of: probe, target)
    let (others, sum) = holders[target] ?? ([:], 0)
    return free - more >= maximumBytes - max(total, peakHeld)
      && targetBytes - sum - more >= maximumBytes - max(total, others.values.max() ?? 0)
  }

  private mutating func grant(_ total: Int, to probe: Probe, of target: String) {
    let more = total - bytes(of: probe, target)
    free -= more
    holders[target, default: ([:], 0)].held[probe] = total
    holders[target]?.sum += more
  }
}
