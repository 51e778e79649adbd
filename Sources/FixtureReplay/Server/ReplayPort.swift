/// A port of a replay server: the one of a listener, or one that was made for a single destination.
struct ReplayPort: Sendable {
  /// What is spoken there.
  let listener: ReplayListener
  /// The only destination that is reached by it, or nil when any is.
  let destination: ReplayDestination?
  /// How it was set up.
  let mode: ListenerMode
  let socket: ListeningSocket

  /// How connections are received now: a reload may have changed that between modes that accept.
  func modeNow(_ fixtures: [Fixture]) -> ListenerMode {
    let now = fixtures.mode(of: listener)
    return now.accepts ? now : mode
  }
}

extension [Fixture] {
  /// How connections to a listener are received: as the fixture says that says anything.
  func mode(of listener: ReplayListener) -> ListenerMode {
    lazy.compactMap { $0.listeners[listener] }.first ?? .open
  }

  /// What two fixtures cannot have both.
  var conflict: ReplayError? {
    for listener in ReplayListener.allCases {
      let wanted = compactMap { fixture in fixture.listeners[listener].map { (fixture.name, $0) } }
      if let first = wanted.first, let other = wanted.first(where: { $0.1 != first.1 }) {
        return ReplayError(
          .conflict,
          "the fixture \(first.0) wants the listener \(listener.rawValue) \(first.1.rawValue), and \(other.0) wants it "
            + "\(other.1.rawValue): replay them one by one")
      }
    }
    return nil
  }
}
