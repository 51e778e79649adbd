internal import ByteStreams
internal import ProbeTLS
internal import ProbeCore
internal import ProbeSystem

/// Maps a result of libcurl to a reason code and a detail, if a proxy caused the failure.
struct ProxyFailureMapping {
  let result: TransferResult
  let proxy: ProbeProxy
  let request: ProbeRequest

  /// The reason and the detail; nil if the proxy did not cause the failure.
  var reasonAndDetail: (ReasonCode, String)? {
    switch SystemError(result.systemError) {
    case .noDescriptors, .noMemory: return nil
    default: break
    }
    if result.proxy.wasInHandshake, let failure = handshakeFailure { return failure }
    switch result.code {
    case .couldNotResolveProxy, .couldNotResolve:
      return (.proxyUnreachable, "the name of the proxy \(proxy) could not be looked up")
    case .couldNotConnect: return unreachable
    case .proxyFailed: return socksFailure
    case .timedOut: return timeout
    case .sendError, .receiveError, .gotNothing, .weirdReply, .unsupportedProtocol, .tooLarge:
      return tunnelFailure
    default: return nil
    }
  }

  private var unreachable: (ReasonCode, String) {
    ConnectionFailure.reaching(proxy, SystemError(result.systemError), else: result.message)
  }

  private var timeout: (ReasonCode, String)? {
    let seconds = (Double(result.moments.finished) / 1e4).rounded() / 100
    switch result.phase {
    // For libcurl, the tunnel is part of connecting; once the proxy is connected, its address is known.
    case .resolve,
      .connect where result.remote == nil:
      return (.proxyUnreachable, "no connection to the proxy \(proxy) after \(seconds) s")
    case .connect, .tls, .response, .body:
      guard usesTunnel, !hasTunnel else { return nil }
      // The proxy has refused the tunnel, but has not finished its response.
      if result.proxy.tunnelStatus >= 300 { return tunnelFailure }
      // It is unknown whether the proxy or the server behind it does not respond.
      return (.connectTimeout, "the proxy \(proxy) had made no tunnel after \(seconds) s")
    }
  }

  /// Whether the exchange uses a tunnel: an HTTP proxy receives requests for plain HTTP without one.
  private var usesTunnel: Bool {
    proxy.kind.isSOCKS || request.url.scheme != .http || request.connectToRule != nil
  }

  /// Whether the tunnel is established: an HTTP proxy confirms it; a SOCKS handshake is part of connecting
  /// for libcurl.
  private var hasTunnel: Bool {
    proxy.kind.isSOCKS
      ? ![.resolve, .connect].contains(result.phase) : (200..<300).contains(result.proxy.tunnelStatus)
  }

  private var tunnelFailure: (ReasonCode, String)? {
    guard !proxy.kind.isSOCKS, usesTunnel, !hasTunnel || result.proxy.responseIsTooLong else { return nil }
    switch result.proxy.tunnelStatus {
    case ..<300 where result.proxy.responseIsTooLong:
      return (.proxyFailed, "the proxy \(proxy) answered CONNECT with more than 64 KiB")
    case 0:
      return (.proxyFailed, "the proxy \(proxy) broke off before it had made a tunnel: \(result.message)")
    case 407:
      return (
        .proxyRefused, "the proxy \(proxy) responded to CONNECT with status 407: it requires authentication"
      )
    case let status: return (.proxyRefused, "the proxy \(proxy) responded to CONNECT with status \(status)")
    }
  }

  private var socksFailure: (ReasonCode, String) {
    guard let words = SOCKSReply(result.proxy.error).words else {
      return (.proxyFailed, "the proxy \(proxy) did not do its part: \(result.message)")
    }
    return (.proxyRefused, "the proxy \(proxy) refused: \(words)")
  }

  private var handshakeFailure: (ReasonCode, String)? {
    switch result.code {
    case .peerNotVerified:
      // If the chain has no problem, libcurl's own check of the host refused it.
      let words =
        [nil, .wrongHost].contains(result.proxy.handshake?.problem)
        ? "it is for another host" : result.proxy.handshake?.text
      return (.proxyFailed, "the certificate of the proxy \(proxy) was refused: \(words ?? result.message)")
    case .tlsFailed, .receiveError, .sendError:
      guard result.proxy.tunnelStatus == 0, result.proxy.handshake == nil || result.code == .tlsFailed else {
        return nil
      }
      let words = HandshakeFailure(message: result.message).map {
        $0.alertName.map { "alert \($0)" } ?? $0.text
      }
      return (.proxyFailed, "the TLS handshake with the proxy \(proxy) failed: \(words ?? "it hung up")")
    case .timedOut where result.proxy.handshake == nil:
      return (.proxyUnreachable, "the TLS handshake with the proxy \(proxy) was not done in time")
    default: return nil
    }
  }
}
