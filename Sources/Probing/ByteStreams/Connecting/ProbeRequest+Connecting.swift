internal import ProbeStreams
internal import ProbeSystem
package import ProbeCore

extension ProbeRequest {
  /// The rule that routes this request elsewhere.
  package var connectToRule: ConnectTo? {
    connectTo.first { $0.applies(to: url) }
  }

  /// The known addresses, if they are of the host to which this machine connects.
  package var addressesOfHost: FoundAddresses? {
    knownAddresses.flatMap { $0.host == hostToConnectTo ? $0 : nil }
  }

  /// The rules about the address of its connection; none if the user names the host to connect to.
  package var rulesForConnecting: [AddressRule] {
    guard proxy == nil, connectToRule?.targetHost == nil else { return [] }
    return staysOffThisMachine ? addressRules + [.offThisMachine] : addressRules
  }

  /// The host to resolve, or nil if the connection is to an address.
  package var hostToResolve: String? {
    IPAddress(hostToConnectTo) == nil ? hostToConnectTo : nil
  }

  /// The resolver, if the host to resolve is looked up there: `localhost` is looked up at no server.
  package var usedResolver: SocketAddress? {
    hostToResolve.flatMap { NameServices.isLocalhost($0) ? nil : resolver }
  }

  /// The host to which this machine connects.
  package var hostToConnectTo: String { proxy?.host ?? connectToRule?.targetHost ?? url.host }

  /// Whether this machine resolves the host of the URL for a SOCKS proxy, which receives the address.
  package var resolvesForProxy: Bool {
    proxy?.kind == .socks5WithLocalNames && IPAddress(connectToRule?.targetHost ?? url.host) == nil
  }

  /// Refuses timeouts, families and sources that cannot be used together.
  ///
  /// - Throws: `InvalidInput` that names the option.
  package func checkForConnecting() throws(InvalidInput) {
    guard timeout > .zero else {
      throw InvalidInput("the timeout is not positive", remedy: "give one such as 5s").about("timeout")
    }
    if let connectTimeout, connectTimeout <= .zero {
      throw InvalidInput("the connect timeout is not positive", remedy: "give one such as 2s, or omit it")
    }
    guard maxBody >= 0, maxHead > 0 else {
      throw InvalidInput("a size limit is negative", remedy: "give sizes such as 64KiB")
        .about(maxBody < 0 ? "maxBody" : "maxHead")
    }
    if family != nil || source != nil { try checkFamilies() }
    guard let proxy else { return }
    guard resolver == nil || proxy.kind == .socks5WithLocalNames else {
      throw InvalidInput(
        "the proxy looks up the names itself, so a resolver has no effect",
        remedy: "use a socks5:// proxy, for which this machine looks them up, or omit the resolver"
      ).about("proxy", "resolver")
    }
    do throws(InvalidInput) { try proxy.check() } catch { throw error.about("proxy") }
    guard ProbeProxy.Kind.all.contains(proxy.kind) else {
      throw InvalidInput(
        "a \(proxy.kind.rawValue) proxy is unknown", remedy: "use http, https, socks5h or socks5"
      ).about("proxy")
    }
    guard proxy.kind != .https || url.scheme == .http || url.scheme == .https else {
      throw InvalidInput(
        "a \(url.scheme) probe cannot go through an https proxy", remedy: "use an http, socks5h or socks5 one"
      ).about("proxy")
    }
  }

  private func checkFamilies() throws(InvalidInput) {
    let address = IPAddress(hostToConnectTo)
    if let family, let address, address.family != family {
      throw InvalidInput(
        "\(address) is not an IP\(family) address", remedy: "use the other address family, or both"
      ).about(["family"] + settingsOfHost)
    }
    if let source, let own = source.family, let other = family ?? address?.family, own != other {
      throw InvalidInput(
        "the source address \(source) cannot reach an IP\(other) address",
        remedy: "give one of the same family, or the name of an interface"
      ).about(["interface"] + (family == nil ? settingsOfHost : ["family"]))
    }
  }

  /// The settings that name the host to which this machine connects; none if the URL does.
  private var settingsOfHost: [String] {
    guard proxy == nil else { return ["proxy"] }
    return connectToRule?.targetHost == nil ? [] : ["connectTo"]
  }
}

extension AddressRule {
  /// The reason for refusing a connection to an address; nil if the rule allows it.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    switch self {
    case .offThisMachine:
      return address.reach == .network ? nil : .ownAddress
    case .networkInUse(let peer):
      guard address.reach == .network else { return .ownAddress }
      guard address.isSpecialPurpose else { return nil }
      let isInNetwork = InterfaceSubnets.towards(peer).contains { $0.contains(address) }
      return isInNetwork ? nil : AddressRefusal("a private address outside the network in use")
    case .targets(let rules):
      return rules.refusal(of: address)
    }
  }
}

extension [AddressRule] {
  /// The reason for refusing a connection to an address, from the first rule that does; nil if all allow it.
  package func refusal(of address: IPAddress) -> AddressRefusal? {
    for rule in self {
      if let refusal = rule.refusal(of: address) { return refusal }
    }
    return nil
  }
}
