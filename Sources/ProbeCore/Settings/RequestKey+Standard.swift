/// The keys that every transport can hold itself to.
extension RequestKey {
  /// The time for the whole probe, redirects included; with retries, for each attempt.
  public static let timeout = RequestKey(
    "timeout", Duration.self, summary: "the time for one attempt, such as 800ms or 5s"
  ) { time in
    guard (.milliseconds(1) ... .seconds(3600)).contains(time) else {
      throw InvalidInput(
        "the time \(ValueSyntax.text(of: time)) is out of bounds", remedy: "use one from 1ms to 1h")
    }
    return RequestSetting { request, _ in request.timeout = time }
  }

  /// How many redirects to follow.
  public static let redirects = RequestKey(
    "redirects", Int.self, as: count(in: 0...50),
    summary: "the maximum number of redirects to follow; with 0 the first response is checked"
  ) { count in
    try check(count, in: 0...50)
    return RequestSetting { request, _ in request.redirects = count }
  }

  /// How many bytes of the body to keep.
  public static let maxBody = RequestKey(
    "maxBody", ByteCount.self, summary: "the maximum number of body bytes to read, such as 64KiB"
  ) { size in
    let most = 1 << 30
    guard size.bytes <= most else {
      throw InvalidInput(
        "the size \(ValueSyntax.text(ofBytes: size.bytes)) is out of bounds",
        remedy: "use one up to \(ValueSyntax.text(ofBytes: most))")
    }
    let bytes = size.bytes
    return RequestSetting { request, _ in request.maxBody = bytes }
  }

  /// How often to try again after a failure that may pass.
  public static let retries = RequestKey(
    "retries", Int.self, as: count(in: 0...100),
    summary: "the number of retries after a temporary failure"
  ) { count in
    try check(count, in: 0...100)
    return RequestSetting { request, _ in request.retries = count }
  }

  /// How long to wait before trying again.
  public static let backoff = RequestKey(
    "backoff", BackoffValue.self, summary: "the longest wait before the first retry; it doubles each time"
  ) { value in
    let backoff = value.backoff
    try backoff.check()
    return RequestSetting { request, _ in request.backoff = backoff }
  }

  /// The keys that hold for every transport, because ``Prober`` or the request's limits see to them.
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
    "family", FamilyValue.self, summary: "the address family to use: any, v4 or v6"
  ) { value in
    RequestSetting { request, _ in request.family = value.family }
  }

  /// The interface or address of this machine to leave by.
  public static let interface = RequestKey(
    "interface", String.self, summary: "outgoing interface or source address"
  ) { text in
    let source = try ProbeSource(text)
    return RequestSetting { request, _ in request.source = source }
  }

  /// Where to connect to instead.
  public static let connectTo = RequestKey(
    "connectTo", ConnectToValue.self, summary: "where to connect to instead, as HOST:PORT:ADDR:PORT"
  ) { value in
    RequestSetting { request, _ in request.connectTo = value.rules }
  }

  /// The proxy to go through.
  public static let proxy = RequestKey(
    "proxy", ProxyValue.self, summary: "the proxy to use: http://, https:// or socks5h://host:port"
  ) { value in
    let proxy = try ProbeProxy(value.url)
    return RequestSetting { request, context throws(InvalidInput) in
      var proxy = proxy
      proxy.user = value.user
      if let password = value.password { proxy.password = try context.secret(password) }
      try proxy.check()
      request.proxy = proxy
    }
  }

  /// The keys that hold for every transport that opens connections.
  public static let connection: [RequestKey] = [.family, .interface, .connectTo, .proxy]
}
