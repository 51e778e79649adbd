package import ProbeCore

/// What a connection is made to, and how: the part of a request that connecting needs.
struct Destination: Sendable {
  /// The name or address that this machine itself connects to: the proxy's, where there is one.
  let host: String
  let port: UInt16
  /// The families to look up and try.
  let families: [IPFamily]
  let source: ProbeSource?
  /// Whether an address that is not out in the network must not be connected to.
  let staysOffThisMachine: Bool

  /// Where a request's first connection goes.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - port: The port of the URL, or its scheme's.
  init(_ request: ProbeRequest, port: UInt16) {
    let rule = request.connectToRule
    host = request.hostToConnectTo
    self.port = request.proxy?.port ?? rule?.targetPort ?? port
    families = (request.family ?? request.source?.family).map { [$0] } ?? [.v4, .v6]
    source = request.source
    staysOffThisMachine =
      request.staysOffThisMachine && request.proxy == nil && rule?.targetHost == nil
  }
}

extension ProbeRequest {
  /// The rule that leads this request elsewhere.
  package var connectToRule: ConnectTo? {
    connectTo.first { $0.applies(to: url) }
  }

  /// The host whose name is looked up, or nil when an address is connected to straight away.
  package var hostToResolve: String? {
    IPAddress(hostToConnectTo) == nil ? hostToConnectTo : nil
  }

  /// The host that this machine itself connects to.
  package var hostToConnectTo: String { proxy?.host ?? connectToRule?.targetHost ?? url.host }

  /// Refuses limits, families and sources that cannot work together.
  ///
  /// - Throws: `InvalidInput` naming the option.
  package func checkForConnecting() throws(InvalidInput) {
    guard timeout > .zero else {
      throw InvalidInput("the timeout is not positive", remedy: "give one such as 5s")
    }
    if let connectTimeout, connectTimeout <= .zero {
      throw InvalidInput("the connect timeout is not positive", remedy: "give one such as 2s, or none")
    }
    guard maxBody >= 0, maxHead > 0 else {
      throw InvalidInput("a size limit is negative", remedy: "give sizes such as 64KiB")
    }
    if family != nil || source != nil { try checkFamilies() }
    guard let proxy else { return }
    try proxy.check()
    guard [.http, .https, .socks5].contains(proxy.kind) else {
      throw InvalidInput("a \(proxy.kind.rawValue) proxy is unknown", remedy: "use http, https or socks5h")
    }
    guard proxy.kind != .https || url.scheme == .http || url.scheme == .https else {
      throw InvalidInput(
        "a \(url.scheme) probe cannot go through an https proxy", remedy: "use an http or socks5h one")
    }
  }

  private func checkFamilies() throws(InvalidInput) {
    let address = IPAddress(hostToConnectTo)
    if let family, let address, address.family != family {
      throw InvalidInput(
        "\(address) is not an IP\(family) address", remedy: "ask for the other family, or for any")
    }
    if let source, let own = source.family, let other = family ?? address?.family, own != other {
      throw InvalidInput(
        "the source address \(source) cannot reach an IP\(other) address",
        remedy: "give one of the same family, or the name of an interface")
    }
  }
}
