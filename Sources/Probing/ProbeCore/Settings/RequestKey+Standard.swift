/// The keys that any transport can support.
extension RequestKey {
  /// The timeout for the whole probe, including redirects; with retries, for each attempt.
  public static let timeout = RequestKey(
    "timeout", \.timeout, in: .milliseconds(1) ... .seconds(3600),
    summary: "the time limit for one attempt, redirects included, such as 800ms or 5s"
  ).option(
    RequestOption(
      "--timeout", short: "-m", value: "DURATION",
      in: RequestOption.ofURLs.union(["capture", "verify", "portal", "login"]),
      help: "the time limit for one attempt, redirects included, such as 800ms or 5s, or a number of seconds"
    ) { text in
      // As with curl's -m, a number without a unit is in seconds.
      .text(text.utf8.last.map(\.isASCIIDigit) == true ? text + "s" : text)
    }.with(\.alias, "--max-time"))

  /// The maximum number of redirects to follow.
  public static let redirects = RequestKey(
    "redirects", \.redirects, in: 0...50, summary: "how many redirects to follow; 0 judges the first response"
  )
  .option(
    RequestOption("--redirects", value: "N", in: ["check", "scan", "capture"]).with(\.alias, "--max-redirs")
  )
  .option(
    RequestOption(
      "--location", short: "-L", in: ["check", "scan", "capture"],
      help: "follow redirects: up to 50, or as many as --redirects says; the last response is then judged"
    ) { _ in .text("50") }.with(\.isFallback, true))

  /// The maximum number of body bytes to keep.
  public static let maxBody = RequestKey(
    "maxBody", \.maxBody.asByteCount, in: ByteCount(0)...ByteCount(1 << 30),
    summary: "how much of the body validators see, after decoding, such as 64KiB"
  ).option(RequestOption("--max-body", value: "SIZE"))
    .explained(
      "The rest is not received. To find out what an unexpected page is, a run may receive up to 1 MiB of it."
    )

  /// The maximum number of retries after a failure that may be transient.
  public static let retries = RequestKey(
    "retries", \.retries, in: 0...100,
    summary: "how many times to retry after a transient failure: a timeout, a reset, a status 503"
  ).option(RequestOption("--retries", value: "N"))
    .explained(
      "The wait before the first retry is up to 500 ms, and doubles with each retry up to 10 s, unless backoff in a "
        + "file changes that.")

  /// How long to wait before a retry.
  public static let backoff = RequestKey(
    "backoff", \.backoff, default: "500ms, at most 10s",
    summary: "the longest wait before the first retry"
  ) { (value: BackoffValue) in
    try value.backoff.check()
    return value.backoff
  }
  .explained(
    "The wait doubles with each retry. The actual one is random, at least half of it.",
    example: "{ initial: 1s, maximum: 10s }")

  /// The keys that are valid for every transport, because ``Prober`` or the request's limits implement them.
  public static let common: [RequestKey] = [.timeout, .redirects, .maxBody, .retries, .backoff]
}

/// The keys of transports that open connections.
extension RequestKey {
  /// The address family to use.
  public static let family = RequestKey(
    "family", \.family, default: "any", summary: "the address family to use"
  ) { (value: FamilyValue) in value.family }
  .option(
    RequestOption(
      "--family", value: "v4|v6", in: ["check", "scan", "capture"],
      help: "use only this version of the Internet protocol"
    ).with(\.completion, .words(["v4", "v6"]))
  )
  .option(familyFlag("4", excludes: ["--family"]))
  .option(familyFlag("6", excludes: ["--family", "--ipv4"]))

  private static func familyFlag(_ version: String, excludes others: [String]) -> RequestOption {
    RequestOption(
      "--ipv\(version)", short: "-\(version)", in: ["check", "scan", "capture"],
      help: "the same as --family v\(version)"
    ) { _ in .text("v\(version)") }.with(\.exclusions, others)
  }

  /// The local interface or address to send from.
  public static let interface = RequestKey(
    "interface", \.source, default: "chosen by the routing table",
    summary: "the outgoing interface or the source address"
  ) { (text: String) in try ProbeSource(text) }
  .option(RequestOption("--interface", value: "NAME|ADDRESS", in: ["check", "scan", "portal", "login"])).local
  .explained("The names are those of ip link, such as wlan0.", example: "wlan0")

  /// The host and port to connect to instead of those of the URL.
  public static let connectTo = RequestKey(
    "connectTo", \.connectTo,
    summary:
      "connect to ADDR:PORT for this host and port, written as HOST:PORT:ADDR:PORT; empty parts match any"
  ) { (value: ConnectToValue) in value.rules }
  .addingOptions(first: true) { (value: ConnectToValue) in
    RequestSetting { request, _ in request.connectTo = value.rules + request.connectTo }
  }
  .option(
    RequestOption(
      "--connect-to", value: "HOST:PORT:ADDR:PORT", in: RequestOption.ofRuns.union(["portal", "login"]),
      help:
        "for this host and port, connect to ADDR:PORT instead; empty parts match any; precedes the rules of pipelines"
    ) { text in .list([.text(text)]) }.with(\.repeats, true)
  ).local
  .explained(
    "The first rule that matches applies. Host name, Host field and SNI remain those of the URL.",
    example: "[\"portal.example:443:192.0.2.7:8443\", \"::127.0.0.1:\"]")

  /// The DNS server that looks up names.
  public static let resolver = RequestKey(
    "resolver", \.resolver, default: "the name services of the system",
    summary: "the DNS server that looks up every name, as an address with an optional port"
  ) { (text: String) in try SocketAddress(resolver: text) }
  .option(
    RequestOption(
      "--resolver", value: "ADDRESS", in: RequestOption.ofRuns,
      help:
        "look up every name at this DNS server alone: ADDRESS, ADDRESS:PORT or, for IPv6, [ADDRESS]:PORT"
    )
  ).local
  .explained(
    "The hosts file, search domains and other servers are then not used.", example: "\"[2001:db8::53]:5353\"")

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
  .option(
    RequestOption(
      "--proxy", short: "-x", value: "[PROTOCOL://]HOST:PORT",
      help: "the proxy to use: http://, which may be left out, https://, socks5h:// or socks5://"
    ) { text in .mapping("url", .text(text.contains("://") ? text : "http://" + text)) }
  )
  .option(
    RequestOption(
      "--proxy-user", value: "USER:SOURCE",
      help: "user name and password for the proxy; for SOURCE see --bearer"
    ) { text throws(InvalidInput) in try SecretArgument.login(text) }.with(\.requirement, "--proxy")
  ).local
  .explained(
    "Variables such as http_proxy have no effect.",
    example: "{ url: \"http://proxy.example:3128\", user: probe, password: { file: proxy-password } }")

  /// The keys that are valid for every transport that opens connections.
  public static let connection: [RequestKey] = [.family, .interface, .connectTo, .resolver, .proxy]
}

/// A secret on the command line, which names its source, never its value.
enum SecretArgument {
  /// A source, `env:NAME` or `file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else; it is never quoted, because it may be the secret itself.
  static func source(_ text: Substring) throws(InvalidInput) -> WrittenValue {
    guard let parts = text.divided(at: ":"), ["env", "file"].contains(parts.before), !parts.after.isEmpty
    else {
      throw InvalidInput(
        "secrets are not allowed on the command line, where other users can read them",
        remedy: "name a variable or a file that contains it, as env:NAME or file:PATH")
    }
    return .mapping(String(parts.before), .text(String(parts.after)))
  }

  /// A user name and the source of the password, `USER:env:NAME` or `USER:file:PATH`.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  static func login(_ text: String) throws(InvalidInput) -> WrittenValue {
    guard let parts = text.divided(at: ":") else {
      throw InvalidInput(
        "the password is missing", remedy: "name its source, as USER:env:NAME or USER:file:PATH")
    }
    return .mapping([
      .init("user", .text(String(parts.before))), .init("password", try source(parts.after)),
    ])
  }
}
