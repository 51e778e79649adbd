/// The script of a response: the steps of the connection in order, then the ending.
package struct ResponseScript: Hashable, Sendable {
  /// One thing to do.
  package enum Step: Hashable, Sendable {
    case send([UInt8])
    /// Sends bytes in parts of this size, with a pause between two parts.
    case sendSlowly([UInt8], part: Int, every: Duration)
    /// Sends the same bytes repeatedly, as long as the client accepts them.
    case sendForever([UInt8])
    case wait(Duration)
  }

  /// What happens to the connection after the last step.
  package enum Ending: Hashable, Sendable {
    /// Keeps the connection open for the next request, unless the client wants it closed.
    case keep
    /// Sends a FIN, then reads and discards input until the client closes its side too.
    case fin
    /// Sends a FIN, and keeps the connection until the client closes its side.
    case halfClose
    /// Sends an RST at once.
    case reset
    /// Sends an RST after the client has acknowledged everything.
    case resetWhenAcknowledged
    /// Sends nothing more, and keeps the connection until the client closes its side.
    case hold
  }

  package let steps: [Step]
  let ending: Ending

  init(_ steps: [Step], _ ending: Ending) {
    // An empty send would only cost a system call.
    self.steps = steps.filter { $0 != .send([]) }
    self.ending = ending
  }
}

extension ResponseScript {
  /// The number of bytes to send; bytes that are sent forever count once.
  var count: Int {
    steps.reduce(0) { sum, step in
      switch step {
      case .send(let bytes), .sendSlowly(let bytes, _, _), .sendForever(let bytes): sum + bytes.count
      case .wait: sum
      }
    }
  }
}

/// Plays a response's script: returns the next action each time the previous one is complete.
struct ScriptPlayer {
  enum Action: Hashable {
    /// Send these bytes, all of them.
    case send([UInt8])
    /// Wait this long.
    case pause(Duration)
    /// End the script, and treat the connection like this.
    case end(ResponseScript.Ending)
  }

  private let script: ResponseScript
  private var step = 0
  /// How many bytes of a slow step have been sent.
  private var sent = 0
  /// Whether the next action of a slow step is a pause.
  private var isPauseDue = false

  init(_ script: ResponseScript) {
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
