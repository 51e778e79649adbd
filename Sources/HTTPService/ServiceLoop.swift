internal import ProbeLocking
internal import ProbeSockets
internal import ProbeThreading

/// Accepts and serves a service's connections on the thread of its loop.
@safe final class ServiceLoop {
  private let options: HTTPServiceOptions
  private let handler: HTTPService.Handler
  /// nil after the end: the socket is closed with the last reference.
  private var socket: (any AcceptingSocket)?
  private var connections: [Int32: ServedClient] = [:]
  private var lastNumber = 0
  private var nextSweep: LoopAlarm?
  /// Whether no connection is accepted until the next sweep, because the machine has no descriptor left.
  private var isPausing = false
  /// The loop's thread; set at the start.
  private unowned(unsafe) var knownThread: LoopThread?

  init(_ socket: any AcceptingSocket, options: HTTPServiceOptions, handler: @escaping HTTPService.Handler) {
    self.socket = socket
    self.options = options
    self.handler = handler
  }

  private var thread: LoopThread {
    guard let thread = unsafe knownThread else { preconditionFailure("nothing happens before the start") }
    return thread
  }
}

// Safe because one thread creates it and hands it to the loop's thread, and does not use it again.
extension ServiceLoop: @unchecked Sendable {}

/// A connection with its socket, its handler's task, and the bytes that are not sent yet.
private final class ServedClient {
  let number: Int
  let socket: StreamSocket
  var state: ServiceConnection
  var output = SendBuffer()
  var task: Task<Void, Never>?
  var interest: Poller.Events = .readable

  init(_ socket: StreamSocket, number: Int, state: ServiceConnection) {
    (self.socket, self.number, self.state) = (socket, number, state)
  }
}

extension ServiceLoop: LoopOperation, DescriptorWatcher, AlarmReceiver {
  func start(on thread: LoopThread) {
    unsafe knownThread = thread
    if let socket { _ = thread.watch(socket.descriptor, .readable, self) }
  }

  func cancel(on thread: LoopThread) {}

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    if let client = connections[descriptor] {
      handle(events, on: client)
    } else if descriptor == socket?.descriptor {
      accept()
    }
  }

  /// Ends what takes too long.
  func alarmRings(on thread: LoopThread) {
    nextSweep = nil
    if isPausing, let socket {
      isPausing = false
      thread.change(socket.descriptor, .readable)
    }
    for client in connections.values { perform(client.state.timePassed(to: .now), on: client) }
    sweepLater()
  }

  private func sweepLater() {
    guard nextSweep == nil, isPausing || !connections.isEmpty else { return }
    let interval = min(.seconds(1), options.requestTime, options.idleTime, options.drainTime)
    nextSweep = thread.setAlarm(at: .now + (isPausing ? .milliseconds(20) : interval), for: self)
  }

  /// Closes everything.
  func stop() {
    for client in connections.values { perform(client.state.ended(), on: client) }
    if let socket { thread.unwatch(socket.descriptor, isClosing: true) }
    if let nextSweep { thread.cancel(nextSweep) }
    (socket, nextSweep) = (nil, nil)
  }

  /// A handler has finished.
  func deliver(_ response: HTTPServiceResponse, to descriptor: Int32, number: Int) {
    guard let client = connections[descriptor], client.number == number else { return }
    client.task = nil
    perform(client.state.responded(response, now: .now), on: client)
  }
}

extension ServiceLoop {
  private func accept() {
    guard let socket else { return }
    for _ in 0..<64 {
      let (descriptor, isShort) = socket.accept()
      guard let descriptor else {
        guard isShort else { return }
        if makeRoom() { continue }
        isPausing = true
        thread.change(socket.descriptor, [])
        if let nextSweep { thread.cancel(nextSweep) }
        nextSweep = nil
        return sweepLater()
      }
      take(StreamSocket(descriptor: descriptor))
    }
  }

  private func take(_ socket: StreamSocket) {
    let hasRoom = connections.count < options.mostConnections || makeRoom()
    guard hasRoom, thread.watch(socket.descriptor, .readable, self) else {
      let fault = HTTPServiceFault(status: 503, "too many connections", fix: "close others first")
      _ = socket.send(options.faultResponse(fault).bytes(isToHead: false, closes: true), from: 0)
      return socket.close()
    }
    lastNumber += 1
    connections[socket.descriptor] = ServedClient(
      socket, number: lastNumber, state: ServiceConnection(options, now: .now))
    sweepLater()
  }

  /// Closes the connection that has been idle longest.
  private func makeRoom() -> Bool {
    let idle = connections.values.filter(\.state.isIdle)
    guard let oldest = idle.min(by: { ($0.state.lastUse, $0.number) < ($1.state.lastUse, $1.number) }) else {
      return false
    }
    perform(oldest.state.ended(), on: oldest)
    return true
  }

  private func handle(_ events: Poller.Events, on client: ServedClient) {
    if events.contains(.writable) { flush(client) }
    if client.state.wantsInput, !events.isDisjoint(with: [.readable, .broken]) {
      switch unsafe client.socket.receive(into: thread.buffer) {
      case .nothing: break
      case .broken: perform(client.state.ended(), on: client)
      case .end: perform(client.state.receivedEnd(), on: client)
      case .bytes(let count):
        let bytes = unsafe Array(UnsafeRawBufferPointer(thread.buffer)[..<count])
        perform(client.state.received(bytes, now: .now), on: client)
      }
    } else if events.contains(.broken) {
      perform(client.state.ended(), on: client)
    }
    setInterest(of: client)
  }

  private func flush(_ client: ServedClient) {
    guard client.output.flush(on: client.socket) else { return perform(client.state.ended(), on: client) }
    if client.output.isEmpty { perform(client.state.sent(now: .now), on: client) }
  }

  private func perform(_ actions: [ServiceConnection.Action], on client: ServedClient) {
    for action in actions {
      switch action {
      case .handle(let request): run(request, for: client)
      case .cancel: client.task?.cancel()
      case .send(let bytes):
        guard client.output.send(bytes, on: client.socket) else {
          perform(client.state.ended(), on: client)
          break
        }
        if client.output.isEmpty { perform(client.state.sent(now: .now), on: client) }
      case .shutDown: client.socket.shutdownWrite()
      case .close:
        connections[client.socket.descriptor] = nil
        thread.unwatch(client.socket.descriptor, isClosing: true)
        client.socket.close()
      }
    }
    setInterest(of: client)
  }

  private func run(_ request: HTTPServiceRequest, for client: ServedClient) {
    let (descriptor, number, remote) = (client.socket.descriptor, client.number, thread.remote)
    client.task = Task { [self, handler, options] in
      let response: HTTPServiceResponse
      do throws(HTTPServiceFault) {
        response = try await handler(request)
      } catch {
        response = options.faultResponse(error)
      }
      remote.start(ServiceDelivery(response, to: descriptor, number: number, of: self))
    }
  }

  private func setInterest(of client: ServedClient) {
    guard !client.state.isClosed else { return }
    var events: Poller.Events = client.state.wantsInput ? .readable : []
    if !client.output.isEmpty { events.insert(.writable) }
    guard events != client.interest else { return }
    client.interest = events
    thread.change(client.socket.descriptor, events)
  }
}

/// Hands a response to the loop's thread.
private final class ServiceDelivery: LoopOperation {
  private let response: HTTPServiceResponse
  private let descriptor: Int32
  private let number: Int
  private let loop: ServiceLoop

  init(_ response: HTTPServiceResponse, to descriptor: Int32, number: Int, of loop: ServiceLoop) {
    (self.response, self.descriptor, self.number, self.loop) = (response, descriptor, number, loop)
  }

  func start(on thread: LoopThread) { loop.deliver(response, to: descriptor, number: number) }

  func cancel(on thread: LoopThread) {}
}

/// Stops a service on the loop's thread.
final class ServiceStop: LoopOperation {
  private let loop: ServiceLoop

  init(_ loop: ServiceLoop) {
    self.loop = loop
  }

  func start(on thread: LoopThread) { loop.stop() }

  func cancel(on thread: LoopThread) {}
}
