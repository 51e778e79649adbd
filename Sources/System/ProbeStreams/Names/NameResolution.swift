internal import ProbeBase

/// Collects the addresses of a name by family, and decides when they are enough; does no I/O.
///
/// Times are relative to the start of the exchange.
struct NameResolution {
  enum Step: Equatable {
    /// Wait for the addresses of a family, or until this time.
    case wait(until: Duration?)
    case found
    case notFound(NameError)
  }

  /// The DNS information by family; nil for a family without addresses.
  private(set) var names = ByFamily<ResolvedName?>(v4: nil, v6: nil)
  private var addresses = ByFamily<[IPAddress]>(v4: [], v6: [])
  private var pending: [IPFamily]
  private var errors: [NameError] = []
  /// The time until which to wait for the second family.
  private var patience: Duration?

  /// A name whose families are to be resolved.
  init(_ families: [IPFamily]) {
    pending = families
  }

  /// An address, which needs no lookup.
  init(_ address: IPAddress) {
    pending = []
    addresses[address.family] = [address]
  }

  /// Adds the result for some families.
  mutating func take(
    _ result: Result<ResolvedName, NameError>, for families: [IPFamily], at now: Duration
  ) {
    pending.removeAll { families.contains($0) }
    switch result {
    case .success(let answer):
      for family in families {
        names[family] = answer
        addresses[family] = answer.addresses.map(\.address).filter { $0.family == family }
      }
      // The wait for the other family is as short as for connections.
      if patience == nil { patience = now + AddressRace.resolutionDelay }
    case .failure(let error): errors.append(error)
    }
  }

  /// The next step; call this again after each result and when the time is over.
  func next(at now: Duration) -> Step {
    guard pending.isEmpty || patience.map({ $0 <= now }) == true else { return .wait(until: patience) }
    return addresses.v4.isEmpty && addresses.v6.isEmpty
      ? .notFound(NameError.bestExplanation(of: errors)) : .found
  }

  /// The addresses in the order in which to use them: the families alternate, IPv6 first.
  var inOrder: [IPAddress] {
    (0..<AddressRace.maximumAddressesPerFamily).flatMap { index in
      [IPFamily.v6, .v4].compactMap { index < addresses[$0].count ? addresses[$0][index] : nil }
    }
  }
}
