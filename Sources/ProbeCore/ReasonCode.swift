/// A stable, bounded, machine-readable word for why a probe was not accepted.
///
/// The set is open: a plugin may define its own, in the form `area.word`. The ones ProbeKit itself uses are
/// in ``all``, each with its meaning; they are fit for a metric label.
public struct ReasonCode: RawRepresentable, Hashable, Sendable, Codable {
  /// The code as written in reports, such as `tls.expired`.
  public let rawValue: String

  /// A code from its written form.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The part before the first dot, such as `tls`.
  public var area: Substring {
    rawValue.prefix { $0 != "." }
  }
}

extension ReasonCode {
  /// A code as somebody writes it: words of ASCII letters and digits with dots between them, of at most 100 characters.
  ///
  /// - Throws: ``InvalidInput`` for anything else.
  public init(written text: String) throws(InvalidInput) {
    let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isCode =
      text.utf8.count <= 100
      && words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      }
    guard isCode else {
      throw InvalidInput(
        "\(Excerpt(text)) is no reason code",
        remedy: "write it in letters, digits and dots, such as office.maintenance")
    }
    self.init(rawValue: text)
  }
}

extension ReasonCode: CustomStringConvertible {
  /// The code as written in reports.
  public var description: String { rawValue }
}

extension ReasonCode {
  /// DNS says that the name does not exist (NXDOMAIN, or no address of the wanted family).
  public static let noSuchHost = ReasonCode(rawValue: "dns.noSuchHost")
  /// The name could not be looked up: no server answered in time, or one answered with an error.
  public static let dnsFailure = ReasonCode(rawValue: "dns.failure")

  /// The port is closed: the connection was refused.
  public static let connectRefused = ReasonCode(rawValue: "connect.refused")
  /// No route to the host or network, or a firewall said so.
  public static let connectUnreachable = ReasonCode(rawValue: "connect.unreachable")
  /// The connection was reset, at whatever stage.
  public static let connectReset = ReasonCode(rawValue: "connect.reset")
  /// Connecting failed for another reason of the operating system.
  public static let connectFailed = ReasonCode(rawValue: "connect.failed")

  /// The connection leads to another address than expected.
  public static let addressMismatch = ReasonCode(rawValue: "address.mismatch")
  /// The address that is to be judged is not known.
  public static let noAddress = ReasonCode(rawValue: "address.unknown")

  /// The proxy could not be reached: its name, its port, or the way to it.
  public static let proxyUnreachable = ReasonCode(rawValue: "proxy.unreachable")
  /// The proxy would not carry the request: it wants a login (407), or it answered otherwise than with a tunnel.
  public static let proxyRefused = ReasonCode(rawValue: "proxy.refused")
  /// The proxy broke off, spoke another protocol, or its certificate was refused.
  public static let proxyFailed = ReasonCode(rawValue: "proxy.failed")

  /// Time ran out while the name was being looked up.
  public static let resolveTimeout = ReasonCode(rawValue: "timeout.resolve")
  /// Time ran out before the connection stood.
  public static let connectTimeout = ReasonCode(rawValue: "timeout.connect")
  /// Time ran out during the TLS handshake.
  public static let tlsTimeout = ReasonCode(rawValue: "timeout.tls")
  /// Time ran out before the head of the answer was complete.
  public static let responseTimeout = ReasonCode(rawValue: "timeout.response")
  /// Time ran out while the body was being received.
  public static let bodyTimeout = ReasonCode(rawValue: "timeout.body")
  /// Time ran out for the probe or the run as a whole, so that no phase can be named.
  public static let totalTimeout = ReasonCode(rawValue: "timeout.total")

  /// A certificate of the chain has expired.
  public static let certificateExpired = ReasonCode(rawValue: "tls.expired")
  /// A certificate of the chain is not valid yet.
  public static let certificateNotYetValid = ReasonCode(rawValue: "tls.notYetValid")
  /// The certificate is not for this host.
  public static let certificateWrongHost = ReasonCode(rawValue: "tls.wrongHost")
  /// The chain does not end at a trusted root.
  public static let certificateUntrusted = ReasonCode(rawValue: "tls.untrusted")
  /// The server's certificate is signed by itself.
  public static let certificateSelfSigned = ReasonCode(rawValue: "tls.selfSigned")
  /// The certificate was refused for another reason, such as its purpose or a weak signature.
  public static let certificateInvalid = ReasonCode(rawValue: "tls.certificate")
  /// The TLS handshake failed: an alert, no common version or cipher, or the server hung up.
  public static let tlsHandshake = ReasonCode(rawValue: "tls.handshake")
  /// The server did not speak TLS.
  public static let notTLS = ReasonCode(rawValue: "tls.notTLS")
  /// A certificate of the chain expires sooner than it should.
  public static let certificateExpiresSoon = ReasonCode(rawValue: "tls.expiresSoon")
  /// There is no certificate to judge, because the exchange was not encrypted or none was kept.
  public static let noCertificate = ReasonCode(rawValue: "tls.noCertificate")

  /// The answer is not valid HTTP.
  public static let httpProtocol = ReasonCode(rawValue: "http.protocol")
  /// The server closed the connection without answering.
  public static let httpNoResponse = ReasonCode(rawValue: "http.noResponse")
  /// The head of the answer is larger than the limit.
  public static let httpHeadTooLarge = ReasonCode(rawValue: "http.headTooLarge")
  /// The status code is not an expected one.
  public static let httpStatus = ReasonCode(rawValue: "http.status")
  /// A header field is missing or not as expected.
  public static let httpHeader = ReasonCode(rawValue: "http.header")
  /// More redirects than allowed.
  public static let tooManyRedirects = ReasonCode(rawValue: "http.tooManyRedirects")

  /// The body (for TCP: the bytes received) is not as expected.
  public static let bodyMismatch = ReasonCode(rawValue: "body.mismatch")
  /// The connection ended before the announced end of the body.
  public static let bodyShort = ReasonCode(rawValue: "body.short")
  /// What was looked for is not in the part of the body that the size limit let through.
  public static let bodyTooLarge = ReasonCode(rawValue: "body.tooLarge")
  /// The body's content coding is broken or unknown.
  public static let bodyEncoding = ReasonCode(rawValue: "body.encoding")

  /// The peer sent what a reject step of a dialog names.
  public static let dialogRejected = ReasonCode(rawValue: "dialog.rejected")

  /// A phase took longer than it should.
  public static let tooSlow = ReasonCode(rawValue: "timing.tooSlow")
  /// The phase whose time is to be judged did not take place.
  public static let noTiming = ReasonCode(rawValue: "timing.unknown")

  /// A pattern needed more work than its limits allow.
  public static let matchLimit = ReasonCode(rawValue: "match.limit")
  /// A validator rejected the response and gave no code of its own.
  public static let rejected = ReasonCode(rawValue: "validator.rejected")

  /// An unencrypted URL under the HTTPS-only policy.
  public static let plaintext = ReasonCode(rawValue: "policy.plaintext")
  /// An encrypted exchange was redirected to an unencrypted URL under the HTTPS-only policy.
  public static let downgrade = ReasonCode(rawValue: "policy.downgrade")
  /// A portal named a loopback or link-local address; only the user may name one.
  public static let addressRefused = ReasonCode(rawValue: "policy.address")

  /// The request itself cannot be used: its URL, scheme or options.
  public static let invalidRequest = ReasonCode(rawValue: "request.invalid")
  /// The probe was cancelled.
  public static let cancelled = ReasonCode(rawValue: "cancelled")

  /// This machine has no usable store of trusted certificates.
  public static let noTrustStore = ReasonCode(rawValue: "local.trustStore")
  /// This machine does not have the interface or address a probe is to leave by.
  public static let noSource = ReasonCode(rawValue: "local.source")
  /// This process has no file descriptor left.
  public static let noDescriptors = ReasonCode(rawValue: "local.descriptors")
  /// This process has no memory left.
  public static let noMemory = ReasonCode(rawValue: "local.memory")
  /// A transport failed in a way it did not name.
  public static let transportFailure = ReasonCode(rawValue: "transport.failure")
}

extension ReasonCode {
  /// Every code ProbeKit itself uses, with its meaning, in the order of the layers they come from.
  public static let all: [(code: ReasonCode, meaning: String)] = [
    (.noSuchHost, "DNS says that the name does not exist, or has no address of the wanted family"),
    (.dnsFailure, "the name could not be looked up: no DNS server answered, or one answered with an error"),
    (.connectRefused, "the port is closed: the connection was refused"),
    (.connectUnreachable, "no route to the host or network, or a firewall said so"),
    (.connectReset, "the connection was reset, at whatever stage"),
    (.connectFailed, "connecting failed for another reason of the operating system"),
    (.addressMismatch, "the connection leads to another address than expected"),
    (.noAddress, "the address that is to be judged is not known"),
    (.proxyUnreachable, "the proxy could not be reached: its name, its port, or the way to it"),
    (.proxyRefused, "the proxy would not carry the request: it wants a login (407), or made no tunnel"),
    (.proxyFailed, "the proxy broke off, spoke another protocol, or its certificate was refused"),
    (.resolveTimeout, "time ran out while the name was being looked up"),
    (.connectTimeout, "time ran out before the connection stood"),
    (.tlsTimeout, "time ran out during the TLS handshake"),
    (.responseTimeout, "time ran out before the head of the answer was complete"),
    (.bodyTimeout, "time ran out while the body was being received"),
    (.totalTimeout, "time ran out for the probe or the run as a whole, so that no phase can be named"),
    (.certificateExpired, "a certificate of the chain has expired"),
    (.certificateNotYetValid, "a certificate of the chain is not valid yet"),
    (.certificateWrongHost, "the certificate is not for this host"),
    (.certificateUntrusted, "the chain does not end at a trusted root"),
    (.certificateSelfSigned, "the server's certificate is signed by itself"),
    (.certificateInvalid, "the certificate was refused for another reason, such as its purpose"),
    (.tlsHandshake, "the TLS handshake failed: an alert, no common version, or the server hung up"),
    (.notTLS, "the server did not speak TLS"),
    (.certificateExpiresSoon, "a certificate of the chain expires sooner than it should"),
    (.noCertificate, "there is no certificate to judge, such as over plain HTTP"),
    (.httpProtocol, "the answer is not valid HTTP"),
    (.httpNoResponse, "the server closed the connection without answering"),
    (.httpHeadTooLarge, "the head of the answer is larger than the limit"),
    (.httpStatus, "the status code is not an expected one"),
    (.httpHeader, "a header field is missing or not as expected"),
    (.tooManyRedirects, "more redirects than allowed"),
    (.bodyMismatch, "the body (for TCP: the bytes received) is not as expected"),
    (.bodyShort, "the connection ended before the announced end of the body"),
    (.bodyTooLarge, "what was looked for is not in the part of the body the size limit let through"),
    (.bodyEncoding, "the body's content coding is broken or unknown"),
    (.dialogRejected, "the peer sent what a reject step of a dialog names"),
    (.tooSlow, "a phase took longer than it should"),
    (.noTiming, "the phase whose time is to be judged did not take place"),
    (.matchLimit, "a pattern needed more work than its limits allow"),
    (.rejected, "a validator rejected the response and gave no code of its own"),
    (.plaintext, "an unencrypted URL under the HTTPS-only policy"),
    (.downgrade, "an encrypted exchange was redirected to an unencrypted URL under the HTTPS-only policy"),
    (.addressRefused, "a portal named a loopback or link-local address; only the user may name one"),
    (.invalidRequest, "the request itself cannot be used: its URL, scheme or options"),
    (.cancelled, "the probe was cancelled"),
    (.noTrustStore, "this machine has no usable store of trusted certificates"),
    (.noSource, "this machine does not have the interface or address a probe is to leave by"),
    (.noDescriptors, "this process has no file descriptor left"),
    (.noMemory, "this process has no memory left"),
    (.transportFailure, "a transport failed in a way it did not name"),
  ]
}
