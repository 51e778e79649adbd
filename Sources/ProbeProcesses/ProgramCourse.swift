internal import ProbeCore

/// The course of a program from its start to its end: what to do when it takes too long, must end, or has ended.
///
/// It is given events and returns actions; only one alarm is set at a time.
struct ProgramCourse {
  /// Something that happened.
  enum Event {
    /// The alarm rings.
    case alarm
    /// It must end now; the reason is the result, or how it ended if there is none.
    case kill(ProgramRun.End?)
    /// It must end soon.
    case end(within: Duration)
    /// The process has ended.
    case ended(ProgramRun.End)
  }

  /// Something to do.
  enum Action: Hashable {
    /// Close its standard input once everything is written.
    case closeInput
    /// Send a signal to its process group.
    case signal(Signal)
    /// Set the alarm, in place of the one that is set.
    case alarm(Duration)
    /// Report the result.
    case report(ProgramRun.End)
  }

  /// The signals that it is sent.
  enum Signal {
    case terminate, kill
  }

  private enum Stage {
    case running, ending, terminated, killed, over
  }

  /// How long a program has after SIGTERM.
  static let patience = Duration.milliseconds(500)
  /// How long to wait after SIGKILL: a process that waits for a broken disk ends when it can.
  static let lastPatience = Duration.seconds(1)

  private var stage = Stage.running
  private var reason: ProgramRun.End?

  /// The actions after an event.
  mutating func handle(_ event: Event) -> [Action] {
    switch (stage, event) {
    case (.over, _): return []
    case (_, .ended(let end)):
      stage = .over
      return [.report(reason ?? end)]
    case (.killed, .alarm):
      stage = .over
      return [.report(reason ?? .signal(9))]
    case (.killed, _): return []
    case (_, .kill(let why)):
      reason = why
      stage = .killed
      return [.signal(.kill), .alarm(Self.lastPatience)]
    case (.running, .alarm): return handle(.kill(.timedOut))
    case (.terminated, .alarm): return handle(.kill(nil))
    case (.running, .end(let grace)), (.ending, .end(let grace)):
      stage = .ending
      return [.closeInput, .alarm(grace)]
    case (.ending, .alarm):
      stage = .terminated
      return [.signal(.terminate), .alarm(Self.patience)]
    case (.terminated, .end): return []
    }
  }
}
