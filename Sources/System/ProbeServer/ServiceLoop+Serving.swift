internal import ProbeBase
internal import ProbeTLS
internal import ProbeSystem

/// Passes events to connections, and performs their actions.
extension ServiceLoop {
  /// The maximum number of bytes that a connection receives before others have their turn.
  private static let maximumBytesPerTurn = 4 * 1024

  /// Passes the events on a connection's socket to it.
  func handle(_ events: Poller.Events, on client: ServedClient) {
    if events.contains(.writable) { flush(client) }
    if client.state.wantsInput, !client.isPostponed, !events.isDisjoint(with: .input) {
      receive(on: client)
    } else if events.contains(.broken) {
      perform(client.state.terminate(), on: client)
    }
    setInterest(of: client)
  }

  private func receive(on client: ServedClient) {
    // The rest waits in the system, so that others have their turn: a few bytes can cost much work.
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: thread.buffer[..<Self.maximumBytesPerTurn])
    switch unsafe client.socket.receive(into: room) {
    case .nothing: break
    case .broken: perform(client.state.terminate(), on: client)
    case .end: perform(client.state.receivedEnd(), on: client)
    case .bytes(let count):
      if count == Self.maximumBytesPerTurn { postpone(client) }
      let bytes = unsafe Array(UnsafeRawBufferPointer(thread.buffer)[..<count])
      guard let session = client.tls else {
        return perform(client.state.received(bytes, now: .now), on: client)
      }
      take(bytes, session, on: client)
    }
  }

  /// Lets the events of all clients come before further input of one that has used its turn.
  private func postpone(_ client: ServedClient) {
    client.isPostponed = true
    postponed.append(client)
    if postponed.count == 1 { thread.remote.start(PostponedTurn(self)) }
  }

  /// Gives the next postponed client another turn.
  fileprivate func continuePostponed() {
    guard !postponed.isEmpty else { return }
    let client = postponed.removeFirst()
    client.isPostponed = false
    if !postponed.isEmpty { thread.remote.start(PostponedTurn(self)) }
    if client.state.wantsInput { receive(on: client) }
    setInterest(of: client)
  }

  private func flush(_ client: ServedClient) {
    guard client.flush() else { return perform(client.state.terminate(), on: client) }
    if client.isFlushed { perform(client.state.sent(now: .now), on: client) }
  }

  /// Performs actions until one waits for an event.
  ///
  /// Resulting actions are queued, because a client may send thousands of requests at once.
  func perform(_ actions: [ServiceConnection.Action], on client: ServedClient) {
    var actions = actions
    while !actions.isEmpty {
      var following: [ServiceConnection.Action] = []
      for action in actions { following += perform(action, on: client) }
      actions = following
    }
    setInterest(of: client)
  }

  /// Performs one action.
  ///
  /// - Returns: The resulting actions.
  private func perform(
    _ action: ServiceConnection.Action, on client: ServedClient
  ) -> [ServiceConnection.Action] {
    switch action {
    case .handle(let request): return run(request, for: client)
    case .cancel: client.task?.cancel()
    case .send(let bytes):
      guard client.send(bytes) else { return client.state.terminate() }
      if client.isFlushed { return client.state.sent(now: .now) }
    case .shutDown: client.shutDown()
    case .close: close(client)
    }
    return []
  }

  private func setInterest(of client: ServedClient) {
    guard !client.state.isClosed else { return }
    var events: Poller.Events = client.state.wantsInput && !client.isPostponed ? .readable : []
    if !client.isFlushed { events.insert(.writable) }
    guard events != client.interest else { return }
    client.interest = events
    thread.change(client.socket.descriptor, events)
  }
}

/// TLS; the state of a connection only records whether the handshake succeeded.
extension ServiceLoop {
  /// Passes received bytes to a session.
  private func take(_ bytes: [UInt8], _ session: TLSSession, on client: ServedClient) {
    guard client.state.isHandshaking else {
      session.receive(bytes)
      return read(session, on: client)
    }
    // TLS records never start with a letter (RFC 8446 §5.1), and requests always do.
    if client.state.beginHandshake(), bytes[0].isASCIILetter {
      client.tls = nil
      return perform(client.state.receivedPlainRequest(now: .now), on: client)
    }
    session.receive(bytes)
    do throws(TLSError) {
      let progress = try session.handshake()
      guard client.sendOutputOfTLS() else { return perform(client.state.terminate(), on: client) }
      guard progress == .done else { return }
      perform(client.state.handshakeEnded(now: .now), on: client)
      read(session, on: client)
    } catch {
      fail(session, on: client)
    }
  }

  /// Reads the decrypted bytes.
  private func read(_ session: TLSSession, on client: ServedClient) {
    while client.tls === session {
      do throws(TLSError) {
        switch try session.read(upTo: 16 * 1024) {
        case .bytes(let bytes): perform(client.state.received(bytes, now: .now), on: client)
        case .needsInput:
          // TLS may have output of its own, such as the response to a key update.
          if !client.sendOutputOfTLS() { perform(client.state.terminate(), on: client) }
          return
        case .end: return perform(client.state.receivedEnd(), on: client)
        }
      } catch {
        fail(session, on: client)
      }
    }
  }

  /// Sends the alert of a failed session, and nothing after it.
  private func fail(_ session: TLSSession, on client: ServedClient) {
    client.tls = nil
    perform(client.state.tlsFailed(alert: session.takeOutput(), now: .now), on: client)
  }
}

/// Handlers.
extension ServiceLoop {
  /// Starts the handler.
  ///
  /// - Returns: The actions of a refusal, if too many handlers are running.
  private func run(_ request: HTTPServiceRequest, for client: ServedClient) -> [ServiceConnection.Action] {
    // The request whether the service is alive is handled at any time.
    let isAtOnce = options.respondsAtOnce(request)
    guard isAtOnce || handlerCount < options.maximumRequests else {
      return client.state.responded(options.failureResponse(.tooManyRequests), now: .now)
    }
    handlerCount += 1
    handlerNumber += 1
    let executors = isAtOnce ? [loop] : options.executors
    let executor = executors.isEmpty ? nil : executors[handlerNumber % executors.count]
    let (descriptor, number, remote) = (client.socket.descriptor, client.number, thread.remote)
    client.task = Task(executorPreference: executor) { [self, handler, options] in
      let response: HTTPServiceResponse
      do throws(HTTPServiceFailure) {
        if let failure = await options.authentication?.failure(of: request) { throw failure }
        response = try await handler(request).coded(for: request)
      } catch {
        response = options.failureResponse(error)
      }
      remote.start(ServiceDelivery(response, to: descriptor, number: number, of: self))
    }
    return []
  }

  fileprivate func deliver(_ response: HTTPServiceResponse, to descriptor: Int32, number: Int) {
    handlerCount -= 1
    guard let client = client(descriptor, number: number) else { return }
    client.task = nil
    perform(client.state.responded(response, now: .now), on: client)
  }
}

extension HTTPServiceFailure {
  fileprivate static let tooManyRequests = HTTPServiceFailure(
    status: 503, "too many requests at once", remedy: "try again later", fields: ["Retry-After: 1"])
  static let tooManyConnections = HTTPServiceFailure(
    status: 503, "too many connections", remedy: "close others first", fields: ["Retry-After: 1"])
}

/// Gives a postponed client its turn, after the events of the others.
private final class PostponedTurn: LoopOperation {
  private let loop: ServiceLoop

  init(_ loop: ServiceLoop) {
    self.loop = loop
  }

  func start(on thread: LoopThread) { loop.continuePostponed() }

  func cancel(on thread: LoopThread) {}
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
