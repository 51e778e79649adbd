/// Plays an answer's script: says what to do next, each time the last thing is done.
struct ScriptPlayer {
  /// What to do next.
  enum Action: Hashable {
    /// Send these bytes, all of them.
    case send([UInt8])
    /// Wait this long.
    case pause(Duration)
    /// The script is over, and this is to become of the connection.
    case end(AnswerScript.Ending)
  }

  private let script: AnswerScript
  private var step = 0
  /// How many bytes of a slow step have been sent.
  private var sent = 0
  /// Whether a slow step's next thing is a pause.
  private var isPauseDue = false

  init(_ script: AnswerScript) {
    self.script = script
  }

  mutating func next() -> Action {
    while step < script.steps.count {
      switch script.steps[step] {
      case .send(let bytes):
        step += 1
        return .send(bytes)
      case .sendForever(let bytes):
        return .send(bytes)
      case .wait(let duration):
        step += 1
        return .pause(duration)
      case .sendSlowly(let bytes, let size, let interval):
        if sent >= bytes.count {
          (step, sent, isPauseDue) = (step + 1, 0, false)
          continue
        }
        if isPauseDue {
          isPauseDue = false
          return .pause(interval)
        }
        let part = Array(bytes[sent..<min(sent + size, bytes.count)])
        sent += part.count
        isPauseDue = true
        return .send(part)
      }
    }
    return .end(script.ending)
  }
}
