internal import ProbeBase

/// The life cycle of a program: the actions when it exceeds its timeout, must end, or has ended.
///
/// It receives events and returns actions; only one timer is set at a time.
struct ProgramLifecycle {
  enum Event {
    case timer
    /// It must end now; the given result is reported, or else the way in which it ended.
    case kill(ProgramRun.End?)
    /// It must end soon.
    case end(within: Duration)
    case ended(ProgramRun.End)
  }

  enum Action: Hashable {
    /// Close its standard input once all queued bytes are written.
    case closeInput
    /// Send a signal to its process group.
    case signal(Signal)
    /// Set the timer, replacing any earlier one.
    case timer(Duration)
    case report(ProgramRun.End)
  }

  enum Signal {
    case terminate, kill
  }

  private enum Stage {
    case running, ending, terminated, killed, over
  }

  /// The time between SIGTERM and SIGKILL.
  static let terminationTimeout = Duration.milliseconds(500)
  /// The time to wait after SIGKILL: a process that is blocked by a broken disk does not end at once.
  static let killTimeout = Duration.seconds(1)

  private var stage = Stage.running
  private var reason: ProgramRun.End?

  mutating func handle(_ event: Event) -> [Action] {
    switch (stage, event) {
    case (.over, _): return []
    case (_, .ended(let end)):
      stage = .over
      return [.report(reason ?? end)]
    case (.killed, .timer):
      stage = .over
      return [.report(reason ?? .signal(9))]
    case (.killed, _): return []
    case (_, .kill(let why)):
      reason = why
      stage = .killed
      return [.signal(.kill), .timer(Self.killTimeout)]
    case (.running, .timer): return handle(.kill(.timedOut))
    case (.terminated, .timer): return handle(.kill(nil))
    case (.running, .end(let grace)), (.ending, .end(let grace)):
      stage = .ending
      return [.closeInput, .timer(grace)]
    case (.ending, .timer):
      stage = .terminated
      return [.signal(.terminate), .timer(Self.terminationTimeout)]
    case (.terminated, .end): return []
    }
  }
}
