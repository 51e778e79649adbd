internal import ProbeSystem
package import ProbeBase

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

  /// Responds to a request, or throws the failure to respond with.
  package typealias Handler =
    @Sendable (HTTPServiceRequest) async throws(HTTPServiceFailure) -> HTTPServiceResponse

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

extension HTTPService.Address {
  /// An address to listen on: `127.0.0.1:8089`, `[::1]:0` or `unix:PATH`.
  ///
  /// - Throws: `InvalidInput` if it is not an address.
  package init(_ text: String) throws(InvalidInput) {
    if text.hasPrefix("unix:"), text.utf8.count > 5 {
      self = .unix(String(text.dropFirst(5)))
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text: text[text.index(after: colon)...])
    else {
      throw Self.mistake(text)
    }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(String(host)), isBracketed == (address.family == .v6) else {
      throw Self.mistake(text)
    }
    self = .tcp(SocketAddress(address, port: port))
  }

  /// Whether it is reachable from other machines.
  package var isReachable: Bool {
    if case .tcp(let address) = self { !address.address.isLoopback } else { false }
  }

  private static func mistake(_ text: String) -> InvalidInput {
    InvalidInput(
      "\(Excerpt(text)) is not an address to listen on",
      remedy: "write it as 127.0.0.1:8089, with port 0 for a free one, or as unix:PATH")
  }
}

/// A listening socket of a service, and the accepted hosts of its requests.
struct ServiceListener: Sendable {
  let socket: any AcceptingSocket
  /// The address, with the actual port.
  let address: HTTPService.Address
  let hosts: HostRule

  /// Listens on an address.
  ///
  /// - Throws: `InvalidInput` if that fails.
  init(at address: HTTPService.Address) throws(InvalidInput) {
    switch address {
    case .tcp(let wanted):
      do throws(ListeningSocket.Failure) {
        let listening = try ListeningSocket(wanted)
        try listening.start(.open)
        self.address = .tcp(listening.address)
        socket = listening
      } catch {
        throw InvalidInput(error.message)
      }
      hosts = HostRule(for: wanted.address)
    case .unix(let path):
      self.address = address
      socket = try LocalListeningSocket(path: path)
      hosts = .any
    case .inherited(let descriptor):
      let inherited = try InheritedListeningSocket(descriptor)
      socket = inherited
      self.address = inherited.address.map { .tcp($0) } ?? address
      hosts = inherited.address.map { HostRule(for: $0.address) } ?? .any
    }
  }
}
