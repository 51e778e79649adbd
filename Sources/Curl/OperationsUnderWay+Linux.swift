internal import Glibc
internal import Threading

/// Reads and writes that wait for their connections; each connection has one at a time.
///
/// Belongs to the loop's thread.
final class OperationsUnderWay {
  private let driver: MultiDriver
  private var waiting: [UInt32: ConnectionOperation] = [:]
  private var lastNumber: UInt32 = 0
  /// When the first of them may run out of time, or one that has ended would have; nil when there are none.
  private(set) var nextDeadline: ContinuousClock.Instant?

  init(_ driver: MultiDriver) {
    self.driver = driver
  }

  /// Does what can be done at once, and the rest when the connection is ready.
  func start(_ operation: ConnectionOperation) {
    guard operation.state == .new else { return operation.finish(.cancelled) }
    if let outcome = operation.attempt() { return operation.finish(outcome) }
    lastNumber &+= 1
    let isWatched = driver.watch(
      operation.descriptor, operation.isSending ? .writable : .readable, number: lastNumber)
    guard isWatched else { return operation.finish(.failed(errno)) }
    operation.state = .waiting(lastNumber)
    waiting[lastNumber] = operation
    nextDeadline = min(nextDeadline ?? operation.deadline, operation.deadline)
  }

  func cancel(_ operation: ConnectionOperation) {
    switch operation.state {
    case .new: operation.state = .cancelledEarly
    case .waiting(let number): finish(number, .cancelled)
    case .cancelledEarly, .finished: break
    }
  }

  /// Does what can be done now that something has happened on a connection.
  func goOn(_ number: UInt32) {
    if let outcome = waiting[number]?.attempt() { finish(number, outcome) }
  }

  /// Ends those whose time is over.
  func expire() {
    guard let nextDeadline, nextDeadline <= .now else { return }
    let now = ContinuousClock.now
    for (number, operation) in waiting where operation.deadline <= now { finish(number, .timedOut) }
    self.nextDeadline = waiting.values.lazy.map(\.deadline).min()
  }

  private func finish(_ number: UInt32, _ outcome: ConnectionOperation.Outcome) {
    guard let operation = waiting.removeValue(forKey: number) else { return }
    driver.unwatch(operation.descriptor)
    operation.finish(outcome)
    if waiting.isEmpty { nextDeadline = nil }
  }
}
