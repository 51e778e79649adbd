internal import ProbeSystem

/// A redirected connection whose protocol is not known yet: waits for its first byte, or for a time.
///
/// ``ProtocolChoice`` decides; the loop then serves the connection. It belongs to the loop's thread.
final class UndecidedConnection: DescriptorWatcher, TimerReceiver {
  let socket: StreamSocket
  let choice: ProtocolChoice
  private unowned let loop: ReplayLoop
  private var timer: LoopTimer?
  /// Whether the client is to be greeted when the timer fires; otherwise it has been idle for too long.
  private var greets = false

  init(_ socket: StreamSocket, _ choice: ProtocolChoice, of loop: ReplayLoop) {
    (self.socket, self.choice, self.loop) = (socket, choice, loop)
  }

  /// Starts to wait.
  ///
  /// - Returns: false for lack of resources.
  func start(greetingAfter delay: Duration?) -> Bool {
    guard loop.thread.watch(socket.descriptor, .readable, self) else { return false }
    greets = delay != nil
    timer = loop.thread.setTimer(at: loop.now + (delay ?? loop.options.idleTimeout), for: self)
    return true
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    loop.wake()
    loop.decide(self, socket.firstByte.map { choice.received($0, in: loop.world) })
  }

  func timerFired(on thread: LoopThread) {
    timer = nil
    loop.wake()
    loop.decide(self, greets ? choice.serviceWithoutInput : nil)
  }

  /// Stops waiting; the owner of the socket serves or closes it.
  func end() {
    if let timer { loop.thread.cancel(timer) }
    timer = nil
    loop.thread.unwatch(socket.descriptor)
  }
}
