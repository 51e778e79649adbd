internal import ProbeCore
internal import ProbeSystem

/// Chooses the protocol of a redirected connection: by its destination or, if that is not sufficient, by the
/// first byte that the client sends.
///
/// It does no I/O. A route for plain TCP takes precedence if it names the port; other ports are HTTP or HTTPS.
struct ProtocolChoice {
  enum Step: Hashable {
    case serve(Service)
    /// Wait for its first byte, and call ``received(_:)``; after this time, if there is one, call
    /// ``serviceWithoutInput``.
    case wait(Duration?)
  }

  /// The service for a connection.
  struct Service: Hashable {
    var listener: ReplayListener
    var destination: ReplayDestination?
    /// Whether a connection to a TCP listener starts with a TLS handshake.
    var startsTLS = false
  }

  /// How long a route that greets waits, because the client may start a TLS handshake.
  static let greetingDelay = Duration.milliseconds(200)
  /// The first byte of a TLS handshake (RFC 8446 §5.1), with which no HTTP request begins.
  private static let handshake: UInt8 = 0x16

  /// The listener that the connection arrived at, or nil for the port of all others.
  let arrival: ReplayListener?
  /// The possible destinations of the client, most likely first; they differ only in their hosts.
  let destinations: [ReplayDestination]
  /// The routes for plain TCP at the first of the destinations that has some.
  private let plain: (routes: PlainRoutes, destination: ReplayDestination)?

  init(
    _ arrival: ReplayListener?, _ destinations: [ReplayDestination], client: IPAddress? = nil,
    in world: inout ReplayWorld
  ) {
    self.arrival = arrival
    self.destinations = destinations
    var plain: (routes: PlainRoutes, destination: ReplayDestination)?
    for destination in destinations where plain == nil {
      plain = world.plainRoutes(to: destination, client: client).map { ($0, destination) }
    }
    self.plain = plain
  }

  var start: Step {
    if arrival == .tcp || plain?.routes.hasOwnPort == true {
      return plain?.routes.greets == true ? .wait(Self.greetingDelay) : .serve(tcp)
    }
    if let arrival { return .serve(service(arrival)) }
    return .wait(plain?.routes.greets == true ? Self.greetingDelay : nil)
  }

  /// The service for a client that has sent this byte.
  func received(_ byte: UInt8, in world: ReplayWorld) -> Service {
    let isHandshake = byte == Self.handshake && !world.receivesBytes(startingWith: byte)
    if arrival == .tcp || plain?.routes.hasOwnPort == true {
      var service = tcp
      service.startsTLS = isHandshake
      return service
    }
    if plain != nil, world.receivesBytes(startingWith: byte) { return tcp }
    return service(isHandshake ? .https : .http)
  }

  /// The service for a client that waits for a greeting.
  var serviceWithoutInput: Service { tcp }

  private var tcp: Service {
    Service(listener: .tcp, destination: plain?.destination ?? destinations.first)
  }

  private func service(_ listener: ReplayListener) -> Service {
    // A client that knows a name sends it, except in HTTP/1.0; a certificate for a client that sends no name is
    // for the address.
    Service(
      listener: listener, destination: listener == .https ? destinations.last : destinations.first)
  }
}

/// The routes for plain TCP to a destination.
struct PlainRoutes: Hashable {
  /// Whether one of them names the port.
  var hasOwnPort: Bool
  /// Whether one of them greets the client now.
  var greets: Bool
}

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
