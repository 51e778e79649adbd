/// A connection that stands: bytes go out and come in, one way at a time, until it is let go.
public final class CurlConnection: Sendable {
  /// How reading or writing ended.
  public enum Outcome: Sendable {
    /// These bytes came; none means that the peer has finished sending.
    case received([UInt8])
    /// All bytes are with the operating system.
    case sent
    /// The operating system's error.
    case failed(Int32)
    /// The deadline passed first.
    case timedOut
    /// The task was cancelled.
    case cancelled
  }

  private let socket: ConnectedSocket
  private let loop: CurlLoop

  init(_ socket: ConnectedSocket, loop: CurlLoop) {
    self.socket = socket
    self.loop = loop
  }

  /// Waits for bytes and reads what is there, at most so many.
  public func receive(upTo limit: Int, deadline: ContinuousClock.Instant) async -> Outcome {
    await run(.receive(limit), deadline)
  }

  /// Sends all the bytes.
  public func send(_ bytes: [UInt8], deadline: ContinuousClock.Instant) async -> Outcome {
    await run(.send(bytes), deadline)
  }

  private func run(_ kind: ConnectionOperation.Kind, _ deadline: ContinuousClock.Instant) async -> Outcome {
    let operation = ConnectionOperation(kind, on: socket, deadline: deadline)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        operation.setWaiter(continuation)
        loop.send(.operate(operation))
      }
    } onCancel: {
      loop.send(.cancelOperation(operation))
    }
    operation.takeOver()
    return outcome
  }
}
