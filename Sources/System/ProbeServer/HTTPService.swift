package import ProbeBase
internal import ProbeSystem

/// A small HTTP/1.1 server with asynchronous handlers, for a program's interfaces to other programs.
///
/// It has one thread, which ends on ``stop()`` or when the service is deinitialized. Handlers run as tasks; a
/// handler is cancelled when its client disconnects, and when the service stops.
package final class HTTPService: Sendable {
  /// A place where a service listens.
  package enum Place: Hashable, Sendable {
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

  /// The places, each with the actual port.
  package let places: [Place]
  private let thread = EventLoop(named: "probekit-service")
  private let loop: ServiceLoop
  private let isStopped = Guarded(false)

  /// Starts a service.
  ///
  /// On a loopback address it accepts only requests for names of this machine; see ``HostRule``.
  ///
  /// - Parameters:
  ///   - places: The places to listen; the limits apply to all of them together.
  ///   - options: The limits.
  ///   - handler: The handler of requests.
  /// - Throws: `InvalidInput` if it cannot listen at one of the places.
  package init(
    on places: [Place], options: HTTPServiceOptions = HTTPServiceOptions(), handler: @escaping Handler
  ) throws(InvalidInput) {
    guard thread.start() else {
      throw InvalidInput("cannot start: too many open files, or no memory or thread left")
    }
    let listeners = try places.map { place throws(InvalidInput) in try ServiceListener(at: place) }
    self.places = listeners.map(\.place)
    loop = ServiceLoop(listeners, on: thread, options: options, handler: handler)
    thread.start(loop)
  }

  /// Starts a service with one place.
  ///
  /// - Throws: `InvalidInput` if it cannot listen there.
  package convenience init(
    on place: Place, options: HTTPServiceOptions = HTTPServiceOptions(), handler: @escaping Handler
  ) throws(InvalidInput) {
    try self.init(on: [place], options: options, handler: handler)
  }

  /// The first place, with the actual port.
  package var place: Place { places[0] }

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

extension HTTPService.Place: CustomStringConvertible {
  /// The place in command-line syntax: `127.0.0.1:8080` or `unix:PATH`, or the number of a descriptor.
  package var description: String {
    switch self {
    case .tcp(let address): "\(address)"
    case .unix(let path): "unix:\(path)"
    case .inherited(let descriptor): "descriptor \(descriptor)"
    }
  }
}
