internal import ProbeStreams
internal import ProbeSystem
package import ProbeCore

extension ProbeResponse {
  /// Records the address of the connection or of the attempt and, if the request asks for it, whether it is one of this
  /// machine.
  package mutating func setPeer(_ peer: SocketAddress?, of request: ProbeRequest) {
    remoteAddress = peer
    connectsToItself = request.checksOwnAddress && peer?.address.isAddressOfThisMachine == true
  }
}

extension Duration {
  /// The duration in seconds for display, such as `0.35 s`.
  package var secondsDescription: String {
    let seconds = self / .seconds(1)
    return "\((seconds * 100).rounded() / 100) s"
  }
}

extension ConnectionFacts {
  /// The maximum number of addresses and aliases to report; a hostile DNS response contains thousands.
  private static let maximumNames = 2 * AddressRace.maximumAddressesPerFamily

  init(_ outcome: ConnectOperation.Outcome) {
    self.init(outcome.names)
    attempts = outcome.attempts.map { attempt in
      let ending: ConnectionAttempt.Ending =
        switch attempt.state {
        case .connected: .connected
        case .refusedByRule: .refused
        case .running: .abandoned
        case .failed(let number):
          .failed(ConnectionFailure.connecting(to: "it", SystemError(number), else: "it failed").0)
        }
      return ConnectionAttempt(
        address: attempt.address, ending: ending, began: attempt.began, ended: attempt.ended)
    }
  }

  init(_ names: ByFamily<ResolvedName?>) {
    self.init()
    for family in IPFamily.allCases {
      guard let answer = names[family] else { continue }
      for entry in answer.addresses
      where addresses.count < Self.maximumNames && entry.address.family == family
        && !addresses.contains(where: { $0.address == entry.address })
      {
        addresses.append(NamedAddress(address: entry.address, timeToLive: entry.timeToLive))
      }
      for alias in answer.aliases where aliases.count < Self.maximumNames && !aliases.contains(alias.to) {
        aliases.append(alias.to)
      }
    }
  }
}

extension Destination {
  /// The destination of a request's first connection.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - port: The port of the URL, or the default of its scheme.
  init(_ request: ProbeRequest, port: UInt16) {
    let rules = request.rulesForConnecting
    self.init(
      host: request.hostToConnectTo,
      port: request.proxy?.port ?? request.connectToRule?.targetPort ?? port,
      families: (request.family ?? request.source?.family).map { [$0] } ?? [.v4, .v6],
      source: request.source, resolver: request.resolver, knownAddresses: request.addressesOfHost,
      refuses: { rules.refusal(of: $0) != nil })
  }
}
