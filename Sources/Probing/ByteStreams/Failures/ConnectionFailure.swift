package import ProbeTLS
package import ProbeCore
package import ProbeSystem
package import ProbeStreams

/// Reason codes and descriptions of connection failures, the same for every transport.
package enum ConnectionFailure {
  /// A reason code and a description.
  package typealias Finding = (ReasonCode, String)

  package static let cancelled: Finding = (.cancelled, "the probe was cancelled")

  /// A probe for which the loop could not be started.
  static var shortageForConnecting: ProbeFailure {
    let error = descriptorShortage()
    return ProbeFailure(
      error == 0 ? .noMemory : .noDescriptors, "no memory, descriptor or thread is left to connect with")
  }

  /// A name that could not be resolved.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - error: The error.
  ///   - family: The only family that was queried, or nil.
  ///   - resolver: The DNS server that the request names, or nil.
  /// - Returns: The finding.
  package static func lookingUp(
    _ host: String, _ error: NameError, family: IPFamily?, at resolver: SocketAddress? = nil
  ) -> Finding {
    let source = resolver.map { "the resolver \($0)" } ?? "DNS"
    let location = resolver.map { " at the resolver \($0)" } ?? ""
    return switch error {
    case .noSuchHost: (.noSuchHost, "\(source) knows no \(family.map { "IP\($0) " } ?? "")address of \(host)")
    case .failed(let words): (.dnsFailure, "\(host) could not be looked up\(location): \(words)")
    case .noDescriptors(let words): (.noDescriptors, "no name can be looked up: \(words)")
    case .noMemory(let words): (.noMemory, "no name can be looked up: \(words)")
    case .cancelled: cancelled
    }
  }

  /// A lookup without a response in time.
  ///
  /// - Parameters:
  ///   - time: The time.
  ///   - resolver: The DNS server that the request names, or nil.
  /// - Returns: The finding.
  static func resolveTimeout(after time: Duration, at resolver: SocketAddress?) -> Finding {
    let source = resolver.map { "the resolver \($0)" } ?? "DNS"
    return (.resolveTimeout, "no answer from \(source) after \(time.secondsDescription)")
  }

  /// A host that could not be connected to.
  ///
  /// - Parameters:
  ///   - host: The host of the URL.
  ///   - address: The address that was tried; nil if it is not known.
  ///   - error: The system's error.
  ///   - words: The description if the system has none for the error.
  /// - Returns: The finding.
  package static func connecting(
    to host: String, at address: IPAddress? = nil, _ error: SystemError, else words: String
  ) -> Finding {
    switch error {
    case .other where address?.needsInterface == true: lacksInterface(host, address)
    case .refused: (.connectRefused, "\(host) refused the connection")
    case .reset: (.connectReset, "the connection was reset while connecting")
    case .timedOut: (.connectTimeout, "no connection: the system gave up")
    case .unreachable(let words): (.connectUnreachable, "\(host) cannot be reached: \(words)")
    case .noDescriptors(let words): (.noDescriptors, words)
    case .noMemory(let words): (.noMemory, words)
    case .other(let system): (.connectFailed, "\(host): \(system ?? words)")
    }
  }

  /// An address that exists on each link of this machine, so that the system needs to know which one is meant.
  private static func lacksInterface(_ host: String, _ address: IPAddress?) -> Finding {
    let resolved = address == IPAddress(host) ? "" : " resolves to \(address.map(\.description) ?? ""), which"
    return (
      .invalidRequest,
      "\(host)\(resolved) is a link-local address, which can be reached only through a given interface: name it with "
        + "the option interface, such as --interface eth0"
    )
  }

  /// An established connection that broke.
  package static func receiving(_ error: SystemError) -> Finding {
    switch error {
    case .reset: (.connectReset, "the connection was reset")
    case .timedOut: (.connectReset, "the connection broke: the peer does not answer any more")
    case .unreachable(let words): (.connectUnreachable, words)
    case .noDescriptors(let words): (.noDescriptors, words)
    case .noMemory(let words): (.noMemory, words)
    case .refused: (.connectRefused, "the connection was refused")
    case .other(let words): (.connectFailed, words ?? "the connection broke")
    }
  }

  /// A proxy that could not be connected to.
  package static func reaching(_ proxy: ProbeProxy, _ error: SystemError, else words: String) -> Finding {
    let words =
      switch error {
      case .refused: "it refused the connection"
      case .reset: "the connection was reset"
      case .timedOut: "the system gave up"
      case .unreachable(let words), .noDescriptors(let words), .noMemory(let words): words
      case .other(let system): system ?? words
      }
    return (.proxyUnreachable, "the proxy \(proxy) cannot be reached: \(words)")
  }

  /// A host with an address that the rules of its request refuse.
  ///
  /// - Parameters:
  ///   - address: The address; nil if it is not known.
  ///   - request: The request.
  /// - Returns: The finding.
  package static func refusedAddress(_ address: IPAddress?, for request: ProbeRequest) -> Finding {
    let host = request.url.host
    guard let address, let refusal = request.rulesForConnecting.refusal(of: address) else {
      return (.addressRefused, "an address of \(host) is refused by the rules of the request: not connected")
    }
    return (.addressRefused, refusal.words(for: host, at: address))
  }

  /// A source interface or address that does not exist.
  package static func source(_ source: ProbeSource) -> Finding {
    switch source.kind {
    case .interface(let name): (.noSource, "this machine has no usable interface \(name.escapedForDisplay)")
    case .address(let address): (.noSource, "\(address) is no address of this machine")
    }
  }

  /// A TLS handshake that failed for a reason other than a certificate.
  ///
  /// - Parameters:
  ///   - handshakeFailure: OpenSSL's own error, if there is one.
  ///   - wasReset: Whether the peer reset the connection.
  /// - Returns: The finding.
  package static func handshake(_ handshakeFailure: HandshakeFailure?, wasReset: Bool) -> Finding {
    // The server's alert takes precedence over the system's error: a server often resets right after an
    // alert.
    if let handshakeFailure {
      if handshakeFailure.isNotTLS { return (.notTLS, "the server does not use TLS") }
      if let alert = handshakeFailure.alertName {
        return (.tlsHandshake, "the server refused the TLS handshake: alert \(alert)")
      }
      if !handshakeFailure.isUnexpectedEnd {
        return (.tlsHandshake, "the TLS handshake failed: \(handshakeFailure.text)")
      }
    } else if wasReset {
      return (.connectReset, "the connection was reset during the TLS handshake")
    }
    return (.tlsHandshake, "the server ended the connection during the TLS handshake")
  }

  /// A certificate that was refused.
  ///
  /// - Parameters:
  ///   - verification: The result of its verification; if it is nil or has no error, the certificate is for
  ///     another host.
  ///   - host: The host of the URL.
  /// - Returns: The finding.
  package static func certificate(_ verification: Verification?, host: String) -> Finding {
    let wrongHost: Finding = (
      .certificateWrongHost, "the certificate is not for \(host)\(names(in: verification))"
    )
    guard let verification, let problem = verification.problem else { return wrongHost }
    let which = verification.depth == 0 ? "the server's certificate" : "a certificate of the server's chain"
    switch problem {
    case .expired: return (.certificateExpired, "\(which) has expired")
    case .notYetValid: return (.certificateNotYetValid, "\(which) is not valid yet")
    case .selfSigned: return (.certificateSelfSigned, "the server's certificate is self-signed")
    case .untrusted:
      let issuer = verification.session.chain.last.map { "; the last issuer is \($0.issuer)" } ?? ""
      return (.certificateUntrusted, "the certificate chain does not end at a trusted root\(issuer)")
    case .wrongHost: return wrongHost
    default: return (.certificateInvalid, "\(which) was refused: \(verification.text)")
    }
  }

  private static func names(in verification: Verification?) -> String {
    verification?.session.chain.first?.shownNames(3).map { ", but for \($0)" } ?? ""
  }
}

extension IPAddress {
  /// Whether a connection to it needs an interface (RFC 4007 §6: the zone of a link-local address).
  fileprivate var needsInterface: Bool { family == .v6 && bits >> 118 == 0xFE80 >> 6 }
}
