internal import ProbeSockets
internal import ProbeThreading

/// A connection with its socket, its handler's task, and the bytes that are not sent yet.
///
/// ``ServiceConnection`` decides what it does. It belongs to the loop's thread.
final class ServedClient {
  let number: Int
  /// Whether it is one too many, and only reads that.
  let isRefused: Bool
  let socket: StreamSocket
  var state: ServiceConnection
  var output = SendBuffer()
  var task: Task<Void, Never>?
  /// The events that the poller watches for.
  var interest: Poller.Events = .readable

  init(_ socket: StreamSocket, number: Int, isRefused: Bool, state: ServiceConnection) {
    (self.socket, self.number, self.isRefused, self.state) = (socket, number, isRefused, state)
  }
}
