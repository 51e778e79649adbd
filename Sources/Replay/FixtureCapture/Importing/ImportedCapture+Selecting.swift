public import FixtureReplay
public import ProbeCore

extension ImportedCapture {
  /// Keeps the exchanges that a fixture is to contain and can contain, and adds what is left out to ``losses``.
  ///
  /// A browser records a long session in one file, and a fixture is bounded: exchanges are kept in their order until
  /// one more would exceed a limit.
  ///
  /// - Parameters:
  ///   - hosts: Patterns, one of which matches the host of an exchange; empty for all hosts.
  ///   - maximum: The maximum number of different requests; nil for as many as a fixture can have.
  /// - Throws: `InvalidInput` if no exchange is left.
  public mutating func keep(hosts: [Glob], atMost maximum: Int? = nil) throws(InvalidInput) {
    let all = exchanges
    if !hosts.isEmpty {
      exchanges = exchanges.filter { exchange in hosts.contains { $0.matches(exchange.url.host.utf8) } }
      guard !exchanges.isEmpty else {
        let known = Set(all.map(\.url.host)).sorted()
        let more = known.count > 5 ? " and \(known.count - 5) more" : ""
        throw InvalidInput(
          "the recording has no request to these hosts",
          remedy: "its hosts are \(known.prefix(5).joined(separator: ", "))\(more)")
      }
      if exchanges.count < all.count {
        losses.append(
          "\(all.count - exchanges.count) of \(all.count) exchanges, which are with other hosts; skipped")
      }
    }
    let fileLimit = FixtureLoader.maximumFileLength
    let large = exchanges.filter { $0.size > fileLimit }
    if let first = large.first {
      exchanges.removeAll { $0.size > fileLimit }
      let more = large.count > 1 ? " and \(large.count - 1) more" : ""
      losses.append(
        "responses of more than \(fileLimit >> 20) MiB; skipped: \(first.url.string.prefix { $0 != "?" })\(more)"
      )
      guard !exchanges.isEmpty else {
        throw InvalidInput("all responses have more than \(fileLimit >> 20) MiB, the limit of a fixture")
      }
    }
    let count = countThatFits(min(maximum ?? .max, FixtureLoader.maximumRouteCount))
    guard count < exchanges.count else { return }
    losses.append(
      "the last \(exchanges.count - count) of \(exchanges.count) exchanges; skipped, because "
        + (maximum.map { $0 < FixtureLoader.maximumRouteCount } == true
          ? "\(maximum ?? 0) different requests are wanted"
          : "a fixture has at most \(FixtureLoader.maximumRouteCount) different requests and "
            + "\(FixtureLoader.maximumTotalLength >> 20) MiB"))
    exchanges.removeLast(exchanges.count - count)
  }

  /// The number of exchanges at the start that are within the limits.
  private func countThatFits(_ routeLimit: Int) -> Int {
    var size = 0
    // What else is in the folder has a few bytes for each exchange.
    let bySize = exchanges.firstIndex { exchange in
      size += exchange.size + 1024
      return size > FixtureLoader.maximumTotalLength
    }
    // The number of routes grows with that of the exchanges.
    var (fitting, tooMany) = (0, (bySize ?? exchanges.count) + 1)
    while tooMany - fitting > 1 {
      let middle = (fitting + tooMany) / 2
      if CapturedNetwork(Array(exchanges.prefix(middle))).routes.count <= routeLimit {
        fitting = middle
      } else {
        tooMany = middle
      }
    }
    return max(1, fitting)
  }
}

extension RecordedExchange {
  /// The number of bytes of its response.
  fileprivate var size: Int { wire?.received.count ?? 0 }
}
