/// The keys that any transport can support.
extension RequestKey {
  /// The timeout for the whole probe, including redirects; with retries, for each attempt.
  public static let timeout = RequestKey(
    "timeout", Duration.self, default: "5s",
    summary: "the time limit for one attempt, redirects included, such as 800ms or 5s"
  ) { time in
    guard (.milliseconds(1) ... .seconds(3600)).contains(time) else {
      throw InvalidInput(
        "the time \(ValueSyntax.text(of: time)) is out of bounds", remedy: "use one from 1ms to 1h")
    }
    return RequestSetting { request, _ in request.timeout = time }
  }

  /// The maximum number of redirects to follow.
  public static let redirects = RequestKey(
    "redirects", Int.self, as: count(in: 0...50), default: "0",
    summary: "how many redirects to follow; 0 judges the first response"
  ) { count in
    try check(count, in: 0...50)
    return RequestSetting { request, _ in request.redirects = count }
  }

  /// The maximum number of body bytes to keep.
  public static let maxBody = RequestKey(
    "maxBody", ByteCount.self, default: "64KiB",
    summary: "how much of the body validators see, after decoding, such as 64KiB"
  ) { size in
    let bytes = try check(size, in: 0...(1 << 30))
    return RequestSetting { request, _ in request.maxBody = bytes }
  }

  /// The maximum number of retries after a failure that may be transient.
  public static let retries = RequestKey(
    "retries", Int.self, as: count(in: 0...100), default: "0",
    summary: "how many times to retry after a transient failure: a timeout, a reset, a status 503"
  ) { count in
    try check(count, in: 0...100)
    return RequestSetting { request, _ in request.retries = count }
  }

  /// How long to wait before a retry.
  public static let backoff = RequestKey(
    "backoff", BackoffValue.self, default: "500ms, at most 10s",
    summary:
      "the longest wait before the first retry; it doubles with each retry, and the actual wait is random, at least half of it"
  ) { value in
    let backoff = value.backoff
    try backoff.check()
    return RequestSetting { request, _ in request.backoff = backoff }
  }

  /// The number of bytes, if it is within bounds.
  static func check(_ size: ByteCount, in bounds: ClosedRange<Int>) throws(InvalidInput) -> Int {
    guard !bounds.contains(size.bytes) else { return size.bytes }
    let minimum = bounds.lowerBound == 0 ? "" : "from \(ValueSyntax.text(ofBytes: bounds.lowerBound)) "
    let maximum = "\(minimum.isEmpty ? "up " : "")to \(ValueSyntax.text(ofBytes: bounds.upperBound))"
    throw InvalidInput(
      "the size \(ValueSyntax.text(ofBytes: size.bytes)) is out of bounds",
      remedy: "use one \(minimum)\(maximum)")
  }

  /// The keys that are valid for every transport, because ``Prober`` or the request's limits implement them.
  public static let common: [RequestKey] = [.timeout, .redirects, .maxBody, .retries, .backoff]

  private static func count(in bounds: ClosedRange<Int>) -> ValueSchema {
    .checkedWhenDecoded(.integer(in: bounds))
  }

  private static func check(_ count: Int, in bounds: ClosedRange<Int>) throws(InvalidInput) {
    guard !bounds.contains(count) else { return }
    throw InvalidInput(
      "\(count) is out of bounds", remedy: "use one from \(bounds.lowerBound) to \(bounds.upperBound)")
  }
}

/// The keys of transports that open connections.
extension RequestKey {
  /// The address family to use.
  public static let family = RequestKey(
    "family", FamilyValue.self, default: "any", summary: "the address family to use"
  ) { value in
    RequestSetting { request, _ in request.family = value.family }
  }

  /// The local interface or address to send from.
  public static let interface = RequestKey(
    "interface", String.self, default: "chosen by the routing table",
    summary: "the outgoing interface or the source address"
  ) { text in
    let source = try ProbeSource(text)
    return RequestSetting { request, _ in request.source = source }
  }

  /// The host and port to connect to instead of those of the URL.
  public static let connectTo = RequestKey(
    "connectTo", ConnectToValue.self,
    summary:
      "connect to ADDR:PORT for this host and port, written as HOST:PORT:ADDR:PORT; empty parts match any"
  ) { value in
    RequestSetting { request, _ in request.connectTo = value.rules }
  }

  /// The DNS server that looks up names.
  public static let resolver = RequestKey(
    "resolver", String.self, default: "the name services of the system",
    summary: "the DNS server that looks up every name, as an address with an optional port"
  ) { text in
    let server = try SocketAddress(resolver: text)
    return RequestSetting { request, _ in request.resolver = server }
  }

  /// The proxy to use.
  public static let proxy = RequestKey(
    "proxy", ProxyValue.self, default: "none",
    summary: "the proxy to use: http://, https://, socks5h:// or socks5://host:port"
  ) { value in
    let proxy = try ProbeProxy(value.url)
    return RequestSetting { request, context throws(InvalidInput) in
      var proxy = proxy
      proxy.user = value.user
      if let password = value.password { proxy.password = try context.confinedSecret(password) }
      try proxy.check()
      request.proxy = proxy
    }
  }

  /// The keys that are valid for every transport that opens connections.
  public static let connection: [RequestKey] = [.family, .interface, .connectTo, .resolver, .proxy]
}
