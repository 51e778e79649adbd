/// Counts the operators that show a captive portal and those that pass, to decide whether there is a portal.
///
/// Responses are counted as they are received, in constant time each. Pending responses are counted too, to
/// determine whether they still matter.
struct PortalTally<Name: Hashable> {
  /// The state of one operator.
  private struct Seen {
    /// One of its responses looks like a portal's.
    var isHinted = false
    /// One of its responses is certainly a portal's.
    var isShown = false
    /// One of those redirects elsewhere than to the operator's own login.
    var isRedirected = false
    /// The page that one of those redirects to was requested, and is a login.
    var isConfirmed = false
    /// One of its responses is the expected one.
    var isPassed = false
    /// The number of its pending responses.
    var pending = 0
  }

  /// The number of operators in each state.
  private struct Counts {
    var hinted = 0
    var shown = 0
    var redirected = 0
    var confirmed = 0
    var pending = 0
    var hintedOrPending = 0
    var passedUnhinted = 0
    var passedUnshown = 0
    var passedForGood = 0
    var mayPassUnhinted = 0
    var mayPassUnshown = 0

    mutating func add(_ seen: Seen, _ number: Int) {
      let mayPass = seen.isPassed || seen.pending > 0
      if seen.isHinted { hinted += number }
      if seen.isShown { shown += number }
      if seen.isRedirected { redirected += number }
      if seen.isConfirmed { confirmed += number }
      if seen.pending > 0 { pending += number }
      if seen.isHinted || seen.pending > 0 { hintedOrPending += number }
      if seen.isPassed, !seen.isHinted { passedUnhinted += number }
      if seen.isPassed, !seen.isShown { passedUnshown += number }
      if seen.isPassed, !seen.isHinted, seen.pending == 0 { passedForGood += number }
      if mayPass, !seen.isHinted { mayPassUnhinted += number }
      if mayPass, !seen.isShown { mayPassUnshown += number }
    }
  }

  private var operators: [Name: Seen] = [:]
  private var counts = Counts()
  /// Whether a protocol message, or a redirect to the local network, states that a login is required.
  var isStated = false
}

extension PortalTally {
  /// A response of the operator is pending.
  mutating func expect(_ name: Name) { change(name) { $0.pending += 1 } }

  /// A response of the operator is no longer pending.
  mutating func end(_ name: Name) { change(name) { $0.pending -= 1 } }

  /// The operator gave the expected response.
  mutating func pass(_ name: Name) { change(name) { $0.isPassed = true } }

  /// A response of the operator looks like a portal's.
  ///
  /// - Parameters:
  ///   - name: The operator.
  ///   - isFromThirdParty: Whether the response cannot be the operator's own.
  ///   - isOwn: Whether it redirects to a login of the operator itself.
  ///   - isConfirmed: Whether the page that it redirects to was requested, and is a login.
  mutating func show(_ name: Name, isFromThirdParty: Bool, isOwn: Bool = false, isConfirmed: Bool = false) {
    change(name) { seen in
      seen.isHinted = true
      if isFromThirdParty { seen.isShown = true }
      if isFromThirdParty, !isOwn { seen.isRedirected = true }
      if isFromThirdParty, !isOwn, isConfirmed { seen.isConfirmed = true }
    }
  }

  private mutating func change(_ name: Name, _ body: (inout Seen) -> Void) {
    var seen = operators[name] ?? Seen()
    counts.add(seen, -1)
    body(&seen)
    counts.add(seen, 1)
    operators[name] = seen
  }
}

extension PortalTally {
  /// Whether the responses so far prove a portal.
  ///
  /// - Parameters:
  ///   - isOnline: Whether enough responses are as expected. Then a single unexpected response is attributed to its
  ///     server, and more must agree.
  ///   - encrypted: What is known of encrypted traffic.
  /// - Returns: Whether they prove it.
  func proves(isOnline: Bool, encrypted: EncryptedTraffic.State = .unknown) -> Bool {
    // A portal lets some hosts through, and stops encrypted traffic, to which it cannot respond.
    if encrypted == .stopped, counts.redirected > 0 { return true }
    if isDecidedByHints { return isEnough(counts.hinted, beside: counts.passedUnhinted, isStated, isOnline) }
    let others = counts.passedUnshown
    guard others > 0 || isOnline else { return counts.shown > 0 }
    if isEnough(counts.shown, beside: others, isStated, true) { return true }
    // A site may have moved to a login of another operator, so the page itself has to show what it is.
    if counts.confirmed > 0, isEnough(counts.redirected, beside: others, true, true) { return true }
    return encrypted == .unknown && isEnough(counts.redirected, beside: others, false, isOnline)
  }

  /// Whether the responses prove a portal whatever the pending responses are.
  ///
  /// Only more operators that pass could count against it, and encrypted traffic that does.
  ///
  /// - Parameters:
  ///   - mayBeOnline: Whether enough responses may still be as expected.
  ///   - encrypted: The encrypted traffic so far.
  /// - Returns: Whether they prove it.
  func provesForGood(mayBeOnline: Bool, _ encrypted: EncryptedTraffic) -> Bool {
    if encrypted.isSettled, encrypted.state == .stopped, counts.redirected > 0 { return true }
    if isDecidedByHints {
      return isEnough(counts.hinted, beside: counts.mayPassUnhinted, isStated, mayBeOnline)
    }
    let others = counts.mayPassUnshown
    guard others > 0 || mayBeOnline else { return counts.shown > 0 }
    if isEnough(counts.shown, beside: others, isStated, true) { return true }
    return !encrypted.mayPass && isEnough(counts.redirected, beside: others, false, mayBeOnline)
  }

  /// Whether pending responses may still prove a portal on a network that is otherwise online.
  ///
  /// - Parameter encrypted: The encrypted traffic so far.
  /// - Returns: Whether they may.
  func mayProve(_ encrypted: EncryptedTraffic) -> Bool {
    guard counts.pending > 0 else {
      return proves(isOnline: true, encrypted: encrypted.state)
        || counts.redirected > 0 && encrypted.mayBeStopped
    }
    return encrypted.mayBeStopped
      || isEnough(counts.hintedOrPending, beside: counts.passedForGood, true, true)
  }

  /// Whether the responses suggest a portal that they do not prove: the page that one redirects to decides.
  var suggests: Bool { isEnough(counts.redirected, beside: counts.passedUnshown, true, true) }

  /// Whether an operator gave the expected response.
  var hasPassed: Bool { counts.passedUnshown > 0 }

  /// A response that may be the server's own does not show a third party unless unrelated servers agree.
  private var isDecidedByHints: Bool { counts.hinted >= 2 }

  private func isEnough(_ operators: Int, beside others: Int, _ isStated: Bool, _ isOnline: Bool) -> Bool {
    guard operators > 0 else { return false }
    // A portal lets some hosts through, but not most of the Internet.
    if operators >= 2 || isStated, operators * 4 >= operators + others { return true }
    return !isOnline && others <= operators
  }
}
