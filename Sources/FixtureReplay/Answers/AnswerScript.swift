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
