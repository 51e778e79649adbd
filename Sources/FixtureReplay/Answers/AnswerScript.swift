/// What a connection does to answer: first these steps, then this ending.
package struct AnswerScript: Hashable, Sendable {
  /// One thing to do.
  package enum Step: Hashable, Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes in parts of this size, with a pause between two parts.
    case sendSlowly([UInt8], part: Int, every: Duration)
    /// Sends the same bytes again and again, as long as the client takes them.
    case sendForever([UInt8])
    /// Waits.
    case wait(Duration)
  }

  /// What becomes of the connection then.
  package enum Ending: Hashable, Sendable {
    /// It stays for the next request, unless the client wants it ended.
    case keep
    /// A FIN; what the client still sends is read and dropped until it has ended its side too.
    case fin
    /// A FIN, and the connection stays until the client ends it.
    case halfClose
    /// A RST at once.
    case reset
    /// A RST once the client has acknowledged everything.
    case resetWhenAcknowledged
    /// Nothing more is sent; the connection stays until the client ends it.
    case hold
  }

  package let steps: [Step]
  let ending: Ending

  init(_ steps: [Step], _ ending: Ending) {
    // An empty send would do nothing but cost a system call.
    self.steps = steps.filter { $0 != .send([]) }
    self.ending = ending
  }
}

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
