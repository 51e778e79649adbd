extension ReasonCode {
  /// DNS reports that the name does not exist (NXDOMAIN, or no address of the required family).
  public static let noSuchHost = known(
    "dns.noSuchHost", "the name does not exist, or has no address of the requested family",
    [.lookup, .stopsTraffic])
  /// The name lookup failed: no server responded in time, or one responded with an error.
  public static let dnsFailure = known(
    "dns.failure", "the name could not be resolved: no DNS server responded, or one responded with an error",
    [.lookup, .stopsTraffic, .transient])

  /// The records of a DNS response are not as expected.
  public static let recordMismatch = known(
    "dns.records", "the records or the response code of a DNS response are not as expected", .aboutContent)

  /// The port is closed: the connection was refused.
  public static let connectRefused = known(
    "connect.refused", "the port is closed: the connection was refused", [.stopsTraffic, .transient])
  /// There is no route to the host or network, or a firewall reported that.
  public static let connectUnreachable = known(
    "connect.unreachable", "no route to the host or network, or a firewall rejected the connection",
    [.stopsTraffic, .transient])
  /// The connection was reset, at any stage.
  public static let connectReset = known(
    "connect.reset", "the connection was reset", [.stopsTraffic, .transient])
  /// Connecting failed for another reason of the operating system.
  public static let connectFailed = known(
    "connect.failed", "the operating system could not connect for another reason",
    [.stopsTraffic, .transient])

  /// The connection is to a different address than expected.
  public static let addressMismatch = known(
    "address.mismatch", "the connection was made to an unexpected address", .aboutConnection)
  /// The address to judge is not known.
  public static let noAddress = known(
    "address.unknown", "the address to check is not known", [.aboutConnection, .undecided])
  /// The name resolves to an address of this machine itself, whatever happened there.
  public static let ownAddress = known(
    "address.own", "the name resolves to an address of this machine itself",
    .aboutConnection)

  /// The proxy could not be reached: its name, its port, or the route to it.
  public static let proxyUnreachable = known(
    "proxy.unreachable", "the proxy could not be reached: its name, its port, or the network",
    [.stopsTraffic, .transient])
  /// The proxy refused the request: it requires authentication (407), or did not establish a tunnel.
  public static let proxyRefused = known(
    "proxy.refused", "the proxy refused the request: it requires authentication (407), or refused the tunnel",
    .stopsTraffic)
  /// The proxy closed the connection, used another protocol, or its certificate was refused.
  public static let proxyFailed = known(
    "proxy.failed", "the proxy closed the connection, used another protocol, or its certificate was rejected",
    .stopsTraffic)

  /// The timeout expired during the name lookup.
  public static let resolveTimeout = known(
    "timeout.resolve", "timeout while resolving the name",
    [.lookup, .stopsTraffic, .transient])
  /// The timeout expired before the connection was established.
  public static let connectTimeout = known(
    "timeout.connect", "timeout before the connection was established", [.stopsTraffic, .transient])
  /// The timeout expired during the TLS handshake.
  public static let tlsTimeout = known(
    "timeout.tls", "timeout during the TLS handshake", [.stopsTraffic, .transient])
  /// The timeout expired before the response head was complete.
  public static let responseTimeout = known(
    "timeout.response", "timeout before the response header was complete",
    [.stopsTraffic, .transient])
  /// The timeout expired while receiving the body.
  public static let bodyTimeout = known(
    "timeout.body", "timeout while receiving the body", [.stopsTraffic, .transient])
  /// The timeout of the whole probe or run expired; the phase is not known.
  public static let totalTimeout = known(
    "timeout.total", "timeout of the whole probe or run, in no particular phase",
    .transient)

  /// A certificate of the chain has expired.
  public static let certificateExpired = known(
    "tls.expired", "a certificate of the chain has expired",
    [.stopsTraffic, .certificateDate, .aboutConnection])
  /// A certificate of the chain is not valid yet.
  public static let certificateNotYetValid = known(
    "tls.notYetValid", "a certificate of the chain is not valid yet",
    [.stopsTraffic, .certificateDate, .aboutConnection])
  /// The certificate is not for this host.
  public static let certificateWrongHost = known(
    "tls.wrongHost", "the certificate is not for this host",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The chain does not end at a trusted root.
  public static let certificateUntrusted = known(
    "tls.untrusted", "the chain does not end at a trusted root",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The server's certificate is self-signed.
  public static let certificateSelfSigned = known(
    "tls.selfSigned", "the server's certificate is self-signed",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The certificate was refused for another reason, such as its purpose or a weak signature.
  public static let certificateInvalid = known(
    "tls.certificate", "the certificate was rejected for another reason, such as its purpose",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The TLS handshake failed: an alert, no common version or cipher, or the server closed the connection.
  public static let tlsHandshake = known(
    "tls.handshake", "the TLS handshake failed: an alert, no common version, or a closed connection",
    [.stopsTraffic, .aboutConnection])
  /// The server does not use TLS.
  public static let notTLS = known(
    "tls.notTLS", "the server does not use TLS", [.stopsTraffic, .aboutConnection])
  /// The peer sent unexpected unencrypted data before a TLS handshake, as in a response injection.
  public static let tlsInjected = known(
    "tls.injected",
    "unexpected unencrypted data arrived before a STARTTLS handshake, as in a response injection",
    [.stopsTraffic, .aboutConnection])
  /// A certificate of the chain expires sooner than required.
  public static let certificateExpiresSoon = known(
    "tls.expiresSoon", "a certificate of the chain expires too soon", .aboutConnection)
  /// The server's certificate does not cover a required name.
  public static let certificateLacksName = known(
    "tls.lacksName", "the server's certificate is not for a required name", .aboutConnection)
  /// The server's certificate is from a different issuer than expected.
  public static let certificateIssuerMismatch = known(
    "tls.issuer", "the server's certificate is from an unexpected issuer", .aboutConnection)
  /// The key of the server's certificate is smaller than required.
  public static let certificateWeakKey = known(
    "tls.weakKey", "the key of the server's certificate is smaller than required", .aboutConnection)
  /// The signature of the server's certificate is weaker than required.
  public static let certificateWeakSignature = known(
    "tls.weakSignature", "the signature of the server's certificate is not one of the required ones",
    .aboutConnection)
  /// There is no certificate to judge, because the exchange was not encrypted or the certificate was not
  /// kept.
  public static let noCertificate = known(
    "tls.noCertificate", "there is no certificate to check, for example over plain HTTP", .aboutConnection)

  /// The response is not valid HTTP.
  public static let httpProtocol = known("http.protocol", "the answer is not valid HTTP", .stopsTraffic)
  /// The connection ended within the response head.
  public static let httpHeadCut = known(
    "http.headCut", "the connection ended inside the response header", [.stopsTraffic, .transient])
  /// The server closed the connection without a response.
  public static let httpNoResponse = known(
    "http.noResponse", "the server closed the connection without a response", [.stopsTraffic, .transient])
  /// The response head is larger than the limit.
  public static let httpHeadTooLarge = known(
    "http.headTooLarge", "the response header is larger than the limit")
  /// The status code is not an expected one.
  public static let httpStatus = known("http.status", "the status code is not as expected")
  /// A header field is missing or not as expected.
  public static let httpHeader = known("http.header", "a header field is missing or not as expected")
  /// There were more redirects than allowed.
  public static let tooManyRedirects = known("http.tooManyRedirects", "more redirects than allowed")
  /// The target of a redirect is not as expected; or the redirect has no single http or https target, and the
  /// request has strict redirects.
  public static let httpRedirect = known(
    "http.redirect",
    "a redirect to an unexpected target; with strictRedirects: without a single http or https target")

  /// The body (for TCP: the bytes received) is not as expected.
  public static let bodyMismatch = known(
    "body.mismatch", "the body (for TCP: the bytes received) is not as expected", .aboutContent)
  /// The connection ended before the announced end of the body.
  public static let bodyShort = known(
    "body.short", "the connection ended before the announced end of the body", [.transient, .aboutContent])
  /// The body was cut at the size limit, and the expected content is not in the part that was received.
  public static let bodyTooLarge = known(
    "body.tooLarge", "the searched text is not in the part of the body within the size limit",
    [.aboutContent, .undecided])
  /// The body's content coding is broken or unknown.
  public static let bodyEncoding = known(
    "body.encoding", "the body's content coding is broken or unknown", .aboutContent)

  /// The peer sent data that matches a reject step of a dialog.
  public static let dialogRejected = known(
    "dialog.rejected", "the peer sent data that a reject step of the dialog matches", .aboutContent)

  /// A phase took longer than allowed.
  public static let tooSlow = known("timing.tooSlow", "a phase took too long", .aboutConnection)
  /// The phase whose duration is to be judged did not happen.
  public static let noTiming = known(
    "timing.unknown", "the phase whose time is to be checked did not take place", .aboutConnection)

  /// More echo requests were lost than allowed.
  public static let tooMuchLoss = known("icmp.loss", "too many echo requests were lost", .aboutConnection)

  /// A pattern needed more work than its limits allow.
  public static let matchLimit = known(
    "match.limit", "a pattern exceeded its limits for work or memory", [.aboutContent, .undecided])
  /// A validator rejected the response without giving a reason code.
  public static let rejected = known(
    "validator.rejected", "a validator rejected the response without a reason code")

  /// A plugin in another process ended, broke the protocol, or reported an error.
  public static let pluginFailed = known(
    "plugin.failed", "a program or a plugin could not be started, ended early, or reported an error",
    .undecided)
  /// A plugin in another process did not respond in time.
  public static let pluginTimeout = known(
    "plugin.timeout", "a program or a plugin did not answer in time", .undecided)
  /// A monitoring plugin reports a warning: exit code 1.
  public static let checkWarning = known(
    "check.warning", "a monitoring plugin reports a warning: exit code 1", .transient)
  /// A monitoring plugin reports a critical state: exit code 2.
  public static let checkCritical = known(
    "check.critical", "a monitoring plugin reports a critical state: exit code 2", .transient)
  /// A monitoring plugin could not determine the state: exit code 3.
  public static let checkUnknown = known(
    "check.unknown", "a monitoring plugin could not determine the state: exit code 3", .transient)

  /// An earlier step of the set was not accepted, so this one was not sent.
  public static let earlierStep = known(
    "steps.failed", "not sent, because an earlier step of the set was not accepted", .byCaller)
  /// A value that the step needs was not captured, or cannot be sent.
  public static let stepValue = known(
    "steps.value", "a value that the step needs was not captured by an earlier step, or cannot be sent",
    .byCaller)

  /// The URL is unencrypted, which the HTTPS-only policy does not allow.
  public static let plaintext = known(
    "policy.plaintext", "an unencrypted URL under the HTTPS-only policy", .byCaller)
  /// An encrypted exchange was redirected to an unencrypted URL, which the HTTPS-only policy does not allow.
  public static let downgrade = known(
    "policy.downgrade",
    "an encrypted exchange was redirected to an unencrypted URL under the HTTPS-only policy")
  /// A portal named a loopback or link-local address; only the user may name one.
  public static let addressRefused = known(
    "policy.address", "a portal specified a loopback or link-local address; only the user may specify one")

  /// The request is not valid: its URL, scheme or options.
  public static let invalidRequest = known(
    "request.invalid", "the request is invalid: its URL, scheme or options", .byCaller)
  /// The probe was cancelled.
  public static let cancelled = known("cancelled", "the probe was cancelled", .byCaller)

  /// This machine has no usable store of trusted certificates.
  public static let noTrustStore = known(
    "local.trustStore", "this machine has no usable store of trusted certificates", .thisMachine)
  /// This machine does not have the interface or source address that the request specifies.
  public static let noSource = known(
    "local.source", "this machine does not have the given outgoing interface or source address",
    .thisMachine)
  /// This machine does not permit a probe of this kind.
  public static let notPermitted = known(
    "local.permission", "this machine does not permit the probe; the detail names the setting", .thisMachine)
  /// This process has no file descriptor left.
  public static let noDescriptors = known(
    "local.descriptors", "this process has no file descriptor left", .thisMachine)
  /// This process has no memory left.
  public static let noMemory = known(
    "local.memory", "this process has no memory left, or none that a probe may use", .thisMachine)
  /// A transport failed without giving a reason code.
  public static let transportFailure = known(
    "transport.failure", "a transport failed without a reason code")
}

extension ReasonCode {
  /// Every code that ProbeKit itself uses, in the order of the layers they come from.
  public static let all: [ReasonCode] = [
    .noSuchHost, .dnsFailure, .recordMismatch, .connectRefused, .connectUnreachable, .connectReset,
    .connectFailed,
    .addressMismatch, .noAddress, .ownAddress, .proxyUnreachable, .proxyRefused, .proxyFailed,
    .resolveTimeout,
    .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout, .totalTimeout, .certificateExpired,
    .certificateNotYetValid, .certificateWrongHost, .certificateUntrusted, .certificateSelfSigned,
    .certificateInvalid, .tlsHandshake, .notTLS, .tlsInjected, .certificateExpiresSoon, .certificateLacksName,
    .certificateIssuerMismatch, .certificateWeakKey, .certificateWeakSignature, .noCertificate, .httpProtocol,
    .httpHeadCut, .httpNoResponse, .httpHeadTooLarge, .httpStatus, .httpHeader, .tooManyRedirects,
    .httpRedirect,
    .bodyMismatch, .bodyShort, .bodyTooLarge, .bodyEncoding, .dialogRejected, .tooSlow, .noTiming,
    .tooMuchLoss, .matchLimit, .rejected, .pluginFailed, .pluginTimeout, .checkWarning, .checkCritical,
    .checkUnknown, .earlierStep, .stepValue,
    .plaintext, .downgrade, .addressRefused, .invalidRequest, .cancelled, .noTrustStore, .noSource,
    .notPermitted, .noDescriptors, .noMemory, .transportFailure,
  ]
}
