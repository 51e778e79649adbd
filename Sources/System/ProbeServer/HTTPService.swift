package import ProbeBase
internal import ProbeSystem

/// A small HTTP/1.1 server with asynchronous handlers, for a program's interfaces to other programs.
///
/// It has one thread, which ends on ``stop()`` or when the service is deinitialized. Handlers run as tasks; a
/// handler is cancelled when its client disconnects, and when the service stops.
package final class HTTPService: Sendable {
  /// An address on which a service listens.
  package enum Address: Hashable, Sendable {
    /// An address and a port; port 0 selects a free port.
    case tcp(SocketAddress)
    /// The path of a Unix socket.
    case unix(String)
    /// The descriptor of a listening socket, such as one from systemd; see ``SocketActivation``.
    case inherited(Int32)
  }

  /// Handles a request.
  package typealias Handler =
    @Sendable (HTTPServiceRequest) async throws(HTTPServiceFault) -> HTTPServiceResponse

  /// The addresses, each with the actual port.
  package let addresses: [Address]
  private let thread = EventLoop(named: "probekit-service")
  private let loop: ServiceLoop
  private let isStopped = Guarded(false)

  /// Starts a service.
  ///
  /// On a loopback address it accepts only requests for names of this machine; see ``HostRule``.
  ///
  /// - Parameters:
  ///   - addresses: The addresses to listen on; the limits apply to all of them together.
  ///   - options: The limits.
  ///   - handler: The handler of requests.
  /// - Throws: `InvalidInput` if it cannot listen on one of the addresses.
  package init(
    on addresses: [Address], options: HTTPServiceOptions = HTTPServiceOptions(), handler: @escaping Handler
  ) throws(InvalidInput) {
    guard thread.start() else {
      throw InvalidInput("cannot start: too many open files, or no memory or thread left")
    }
    let listeners = try addresses.map { address throws(InvalidInput) in try ServiceListener(at: address) }
    self.addresses = listeners.map(\.address)
    loop = ServiceLoop(listeners, on: thread, options: options, handler: handler)
    thread.start(loop)
  }

  /// Starts a service with one address.
  ///
  /// - Throws: `InvalidInput` if it cannot listen on it.
  package convenience init(
    on address: Address, options: HTTPServiceOptions = HTTPServiceOptions(), handler: @escaping Handler
  ) throws(InvalidInput) {
    try self.init(on: [address], options: options, handler: handler)
  }

  /// The first address, with the actual port.
  package var address: Address { addresses[0] }

  deinit {
    stop()
  }

  /// Cancels all handlers, closes all connections and the socket, and waits for the service's thread to end.
  package func stop() {
    let wasStopped = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return isStopped
    }
    if wasStopped { return }
    thread.start(ServiceStop(loop))
    thread.end()
  }
}

extension HTTPService.Address: CustomStringConvertible {
  /// The address in command-line syntax: `127.0.0.1:8080` or `unix:PATH`, or the number of a descriptor.
  package var description: String {
    switch self {
    case .tcp(let address): "\(address)"
    case .unix(let path): "unix:\(path)"
    case .inherited(let descriptor): "descriptor \(descriptor)"
    }
  }
}
