public import ProbeCore

extension ReplayServer: LeadingTarget {}

extension TransportRegistry {
  /// These transports in the network that a server replays: nothing they are asked for leaves this machine.
  ///
  /// Every connection is made to the server, also after a redirect to any host, port or address, with host names, Host
  /// field and server name (SNI) as on the real network, and with the server's own authority as the only one that is
  /// trusted. Names resolve as the fixtures' DNS says, and `ProbeResponse.remoteAddress` is what they resolve to; where
  /// nothing is said, names resolve and the address is nil. Proxies and the interface to leave by count for nothing: the
  /// server stands for everything beyond this machine.
  ///
  /// URLs other than http, https and tcp ones are refused with `request.invalid`. A transport of one's own must follow
  /// `ProbeRequest.connectTo`; the answer of one that does not is a failure.
  ///
  /// - Parameters:
  ///   - server: Where every connection is made to.
  ///   - clock: Measures the wait for a DNS server that does not answer.
  /// - Returns: Transports for the same schemes.
  public func led(
    to server: ReplayServer, clock: any Clock<Duration> = ContinuousClock()
  ) -> TransportRegistry {
    led(to: server as any LeadingTarget, clock: clock)
  }
}
