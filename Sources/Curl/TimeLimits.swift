/// Finds transfers whose time is over and which libcurl has not ended.
///
/// libcurl 7.88 throws a transfer's time limit away when something happens on its socket within the millisecond before:
/// it takes what is due in less than a millisecond for done, and only then asks whether the time is over
/// (`add_next_timeout` in its lib/multi.c, which counts microseconds since 8.4: curl's pull request 11937). Nothing else
/// would ever end that transfer.
///
/// Belongs to the loop's thread.
final class TimeLimits {
  /// So long after its time a transfer counts as forgotten; nor is it looked for such ones more often.
  private static let patience = Duration.milliseconds(50)

  private var transfers: [ObjectIdentifier: Transfer] = [:]
  /// When to look for the next time, if not before; nil when there is nothing to look for.
  private(set) var nextLook: ContinuousClock.Instant?

  /// Looks after a transfer that has begun.
  func watch(_ transfer: Transfer) {
    transfers[ObjectIdentifier(transfer)] = transfer
    let look = transfer.nextLimit + Self.patience
    nextLook = min(nextLook ?? look, look)
  }

  /// Looks after a transfer no more.
  func forget(_ transfer: Transfer) {
    transfers[ObjectIdentifier(transfer)] = nil
    if transfers.isEmpty { nextLook = nil }
  }

  /// The transfers that should have ended.
  func overdue() -> [Transfer] {
    guard let nextLook else { return [] }
    let now = ContinuousClock.now
    guard nextLook <= now else { return [] }
    let latest = now - Self.patience
    for transfer in transfers.values where transfer.nextLimit <= latest {
      transfer.forgetConnectLimitOnceMet()
    }
    let overdue = transfers.values.filter { $0.nextLimit <= latest }
    let limit = transfers.values.lazy.map(\.nextLimit).min()
    self.nextLook = limit.map { max($0, now) + Self.patience }
    return overdue
  }
}
