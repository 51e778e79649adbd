import ProbeCore

/// What comes of looking up the name that a led request would connect to.
enum LedLookup: Hashable {
  /// There is something to connect to: at this address, or at one that means nothing.
  case found(IPAddress?)
  /// There is nothing to connect to.
  case fails(ReasonCode, String)
  /// No answer comes, and the request's time passes.
  case isSilent
}

extension LedRequest {
  /// The name that has to be looked up, or nil when there is an address already.
  var nameToLookUp: String? {
    IPAddress(peerHost) == nil ? peerHost : nil
  }

  /// What comes of the lookup when the fixture says this of ``nameToLookUp``, or nil when it says nothing.
  func lookup(_ answer: DNSAnswer?) -> LedLookup {
    if let address = IPAddress(peerHost) { return .found(address) }
    let family = request.family ?? request.source?.family
    switch answer {
    case nil: return .found(nil)
    case .address(let address):
      guard let family, address.family != family else { return .found(address) }
      return .fails(.noSuchHost, "DNS knows no IP\(family) address of \(peerHost)")
    case .nxdomain: return .fails(.noSuchHost, "DNS knows no address of \(peerHost)")
    case .servfail:
      return .fails(.dnsFailure, "\(peerHost) could not be looked up: the DNS server failed")
    case .timeout: return .isSilent
    }
  }

  /// How long a lookup may take.
  var timeForLookup: Duration {
    min(request.connectTimeout ?? request.timeout, request.timeout)
  }

  /// The failure of a request that came to an end before there was a connection.
  func failure(_ reason: ReasonCode, _ detail: String, after time: Duration) -> ProbeFailure {
    ProbeFailure(
      reason, detail, partial: ProbeResponse(url: request.url, timings: ProbeTimings(total: time)))
  }
}
