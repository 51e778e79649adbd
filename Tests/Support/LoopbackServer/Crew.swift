import ProbeBase
import ProbeSystem
internal import ProbeTLS

/// The recorded requests and server names.
struct Journal: Sendable {
  var requests: [[UInt8]] = []
  var connections = 0
  var handshakeFailures: [TLSError] = []
  var serverNames: [String?] = []
  /// How many TLS handshakes have begun and not ended.
  var pendingHandshakes = 0
}

/// The threads of a server: one that accepts, and one for each connection.
final class Crew: Sendable {
  private struct State: Sendable {
    var isStopping = false
    var acceptor: WorkerThread?
    var workers: [Int: (thread: WorkerThread, socket: Socket)] = [:]
    var finished: [WorkerThread] = []
    var journal = Journal()
  }

  private let listener: Socket
  private let tls: ServerContext?
  private let script: LoopbackServer.Script
  private let state = Guarded(State())

  init(listener: Socket, tls: ServerContext?, script: @escaping LoopbackServer.Script) {
    self.listener = listener
    self.tls = tls
    self.script = script
  }

  var journal: Journal { state.withLock(\.journal) }

  func note(_ change: (inout Journal) -> Void) {
    state.withLock { change(&$0.journal) }
  }

  func start() throws {
    let acceptor = try WorkerThread(named: "loopback-accept") { [self] in accept() }
    state.withLock { $0.acceptor = acceptor }
  }

  func stop() {
    let acceptor = state.withLock { state in
      state.isStopping = true
      for worker in state.workers.values { worker.socket.interrupt() }
      return state.acceptor.take()
    }
    listener.interrupt()
    // After the acceptor has ended, no worker is added.
    acceptor?.join()
    let workers = state.withLock { state in
      defer { (state.workers, state.finished) = ([:], []) }
      return state.workers.values.map(\.thread) + state.finished
    }
    for worker in workers { worker.join() }
  }
}

extension Crew {
  private func accept() {
    while let socket = listener.accept() {
      let finished = state.withLock { state in
        defer { state.finished = [] }
        return state.finished
      }
      for thread in finished { thread.join() }
      state.withLock { startWorker(socket, &$0) }
    }
    listener.close()
  }

  private func startWorker(_ socket: Socket, _ state: inout State) {
    let number = state.journal.connections
    state.journal.connections += 1
    // The worker's own end waits for the lock that is held here, so it cannot be over before it is listed.
    let thread =
      state.isStopping
      ? nil
      : try? WorkerThread(named: "loopback-serve") { [self] in
        serve(socket, number)
        end(number)
      }
    if let thread {
      if tls != nil { state.journal.pendingHandshakes += 1 }
      state.workers[number] = (thread, socket)
    } else {
      socket.close()
    }
  }

  private func end(_ number: Int) {
    state.withLock { state in
      if let worker = state.workers.removeValue(forKey: number) { state.finished.append(worker.thread) }
    }
  }

  private func serve(_ socket: Socket, _ number: Int) {
    let connection = LoopbackConnection(socket, number: number) { request in
      self.note { $0.requests.append(request) }
    }
    defer { socket.close() }
    do {
      if let tls {
        defer { note { $0.pendingHandshakes -= 1 } }
        do {
          try connection.startTLS(tls)
        } catch let error as TLSError {
          note { $0.handshakeFailures.append(error) }
          // The client may still be sending; an RST would overtake the alert.
          connection.finish()
          return
        }
        note { $0.serverNames.append(connection.serverName) }
      }
      try script(connection)
      connection.finish()
    } catch {
      // In most cases the client has disconnected, as it may; a test sees the effect on the client's side.
    }
  }
}
