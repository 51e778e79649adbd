import ProbeBase

/// The ports of a transparent replay server: where each kind of traffic is redirected to.
package struct RedirectTargets: Hashable, Sendable {
  /// The DNS server, over UDP and TCP.
  package var dns: UInt16
  /// Connections to port 80.
  package var http: UInt16
  /// Connections to port 443.
  package var https: UInt16
  /// Connections to ``plainPorts``.
  package var tcp: UInt16
  /// Connections to all other ports.
  package var other: UInt16
  /// The ports of routes for plain TCP, if its listener does not accept connections; otherwise empty, because
  /// the port for all others then serves them.
  var plainPorts: [UInt16] = []
  /// Whether pings receive a reply.
  var repliesToPings = true

  package init(
    dns: UInt16, http: UInt16, https: UInt16, tcp: UInt16, other: UInt16, plainPorts: [UInt16] = [],
    repliesToPings: Bool = true
  ) {
    (self.dns, self.http, self.https, self.tcp, self.other) = (dns, http, https, tcp, other)
    (self.plainPorts, self.repliesToPings) = (plainPorts, repliesToPings)
  }
}

extension [Fixture] {
  /// The ports that routes for plain TCP name.
  var plainPorts: [UInt16] {
    let ports = flatMap(\.routes).filter { $0.condition.isForListener(.tcp) }
      .compactMap { $0.condition.port.flatMap { UInt16(text: $0.pattern) } }
    return Set(ports).sorted()
  }
}

extension [ReplayListener: ListenerMode] {
  /// The mode of the port for all other connections: that of all listeners if they agree.
  ///
  /// Otherwise a connection is accepted, and treated as its listener's mode requires once it is known.
  var ofOthers: ListenerMode {
    let modes = Set(ReplayListener.allCases.map { self[$0] ?? .open })
    return modes.count == 1 ? modes.first ?? .open : .open
  }
}
