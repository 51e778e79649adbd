/// A stable, bounded, machine-readable word for why a probe was not accepted.
///
/// The set is open: a plugin may define its own, in the form `area.word`. The ones ProbeKit itself uses are
/// in ``all``; they are fit for a metric label.
public struct ReasonCode: RawRepresentable, Hashable, Sendable, Codable {
  private let definition: Definition

  /// A code from its written form.
  public init(rawValue: String) {
    definition = Self.definitions[rawValue] ?? Definition(rawValue, nil, [])
  }

  private init(_ definition: Definition) {
    self.definition = definition
  }

  /// The code as written in reports, such as `tls.expired`.
  public var rawValue: String { definition.rawValue }

  /// What the code says, as a clause, or nil for a code that is not ProbeKit's own.
  public var meaning: String? { definition.meaning }

  /// What follows from it; nothing from a code that is not ProbeKit's own.
  package var traits: Traits { definition.traits }

  /// The part before the first dot, such as `tls`.
  public var area: Substring {
    rawValue.prefix { $0 != "." }
  }
}

extension ReasonCode {
  /// What follows from a reason, whoever gives it.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// It may pass, so that trying again makes sense.
    package static let transient = Self(rawValue: 1 << 0)
    /// It came of looking a name up.
    package static let lookup = Self(rawValue: 1 << 1)
    /// The network let no exchange take place.
    package static let stopsTraffic = Self(rawValue: 1 << 2)
    /// A certificate is not valid at this time.
    package static let certificateDate = Self(rawValue: 1 << 3)
    /// A certificate is not the server's, or nobody trusted has issued it.
    package static let certificateIssuer = Self(rawValue: 1 << 4)
    /// A certificate was refused.
    package static let badCertificate: Self = [.certificateDate, .certificateIssuer]
    /// It is about the connection and says nothing of the answer.
    package static let aboutConnection = Self(rawValue: 1 << 5)
    /// It is about what was received.
    package static let aboutContent = Self(rawValue: 1 << 6)
    /// A validator could not judge, rather than found something it does not accept.
    package static let undecided = Self(rawValue: 1 << 7)
    /// The request, its policy or whoever asked ended the probe.
    package static let byCaller = Self(rawValue: 1 << 8)
    /// This machine lacks something.
    package static let thisMachine = Self(rawValue: 1 << 9)
  }

  /// A code with all that is known of it.
  private final class Definition: Sendable {
    let rawValue: String
    let meaning: String?
    let traits: Traits

    init(_ rawValue: String, _ meaning: String?, _ traits: Traits) {
      self.rawValue = rawValue
      self.meaning = meaning
      self.traits = traits
    }
  }

  private static func known(_ rawValue: String, _ meaning: String, _ traits: Traits = []) -> ReasonCode {
    ReasonCode(Definition(rawValue, meaning, traits))
  }

  private static let definitions = Dictionary(
    uniqueKeysWithValues: all.map { ($0.rawValue, $0.definition) })
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
  public static let noSuchHost = known(
    "dns.noSuchHost", "the name does not exist, or has no address of the requested family",
    [.lookup, .stopsTraffic])
  /// The name could not be looked up: no server answered in time, or one answered with an error.
  public static let dnsFailure = known(
    "dns.failure", "the name could not be resolved: no DNS server responded, or one responded with an error",
    [.lookup, .stopsTraffic, .transient])

  /// The port is closed: the connection was refused.
  public static let connectRefused = known(
    "connect.refused", "the port is closed: the connection was refused", [.stopsTraffic, .transient])
  /// No route to the host or network, or a firewall said so.
  public static let connectUnreachable = known(
    "connect.unreachable", "no route to the host or network, or a firewall rejected the connection",
    [.stopsTraffic, .transient])
  /// The connection was reset, at whatever stage.
  public static let connectReset = known(
    "connect.reset", "the connection was reset", [.stopsTraffic, .transient])
  /// Connecting failed for another reason of the operating system.
  public static let connectFailed = known(
    "connect.failed", "the operating system could not connect for another reason",
    [.stopsTraffic, .transient])

  /// The connection leads to another address than expected.
  public static let addressMismatch = known(
    "address.mismatch", "the connection was made to an unexpected address", .aboutConnection)
  /// The address that is to be judged is not known.
  public static let noAddress = known(
    "address.unknown", "the address to check is not known", [.aboutConnection, .undecided])

  /// The proxy could not be reached: its name, its port, or the way to it.
  public static let proxyUnreachable = known(
    "proxy.unreachable", "the proxy could not be reached: its name, its port, or the network",
    [.stopsTraffic, .transient])
  /// The proxy would not carry the request: it requires authentication (407), or it answered otherwise than with a tunnel.
  public static let proxyRefused = known(
    "proxy.refused", "the proxy refused the request: it requires authentication (407), or refused the tunnel",
    .stopsTraffic)
  /// The proxy broke off, spoke another protocol, or its certificate was refused.
  public static let proxyFailed = known(
    "proxy.failed", "the proxy closed the connection, used another protocol, or its certificate was rejected",
    .stopsTraffic)

  /// Time ran out while the name was being looked up.
  public static let resolveTimeout = known(
    "timeout.resolve", "timeout while resolving the name",
    [.lookup, .stopsTraffic, .transient])
  /// Time ran out before the connection stood.
  public static let connectTimeout = known(
    "timeout.connect", "timeout before the connection was established", [.stopsTraffic, .transient])
  /// Time ran out during the TLS handshake.
  public static let tlsTimeout = known(
    "timeout.tls", "timeout during the TLS handshake", [.stopsTraffic, .transient])
  /// Time ran out before the head of the answer was complete.
  public static let responseTimeout = known(
    "timeout.response", "timeout before the response header was complete",
    [.stopsTraffic, .transient])
  /// Time ran out while the body was being received.
  public static let bodyTimeout = known(
    "timeout.body", "timeout while receiving the body", [.stopsTraffic, .transient])
  /// Time ran out for the probe or the run as a whole, so that no phase can be named.
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
  /// The server's certificate is signed by itself.
  public static let certificateSelfSigned = known(
    "tls.selfSigned", "the server's certificate is self-signed",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The certificate was refused for another reason, such as its purpose or a weak signature.
  public static let certificateInvalid = known(
    "tls.certificate", "the certificate was rejected for another reason, such as its purpose",
    [.stopsTraffic, .certificateIssuer, .aboutConnection])
  /// The TLS handshake failed: an alert, no common version or cipher, or the server hung up.
  public static let tlsHandshake = known(
    "tls.handshake", "the TLS handshake failed: an alert, no common version, or a closed connection",
    [.stopsTraffic, .aboutConnection])
  /// The server did not speak TLS.
  public static let notTLS = known(
    "tls.notTLS", "the server does not use TLS", [.stopsTraffic, .aboutConnection])
  /// A certificate of the chain expires sooner than it should.
  public static let certificateExpiresSoon = known(
    "tls.expiresSoon", "a certificate of the chain expires too soon",
    [.stopsTraffic, .aboutConnection])
  /// There is no certificate to judge, because the exchange was not encrypted or none was kept.
  public static let noCertificate = known(
    "tls.noCertificate", "there is no certificate to check, for example over plain HTTP",
    [.stopsTraffic, .aboutConnection])

  /// The answer is not valid HTTP.
  public static let httpProtocol = known("http.protocol", "the answer is not valid HTTP", .stopsTraffic)
  /// The server closed the connection without answering.
  public static let httpNoResponse = known(
    "http.noResponse", "the server closed the connection without a response", [.stopsTraffic, .transient])
  /// The head of the answer is larger than the limit.
  public static let httpHeadTooLarge = known(
    "http.headTooLarge", "the response header is larger than the limit")
  /// The status code is not an expected one.
  public static let httpStatus = known("http.status", "the status code is not as expected")
  /// A header field is missing or not as expected.
  public static let httpHeader = known("http.header", "a header field is missing or not as expected")
  /// More redirects than allowed.
  public static let tooManyRedirects = known("http.tooManyRedirects", "more redirects than allowed")

  /// The body (for TCP: the bytes received) is not as expected.
  public static let bodyMismatch = known(
    "body.mismatch", "the body (for TCP: the bytes received) is not as expected", .aboutContent)
  /// The connection ended before the announced end of the body.
  public static let bodyShort = known(
    "body.short", "the connection ended before the announced end of the body", [.transient, .aboutContent])
  /// What was looked for is not in the part of the body that the size limit let through.
  public static let bodyTooLarge = known(
    "body.tooLarge", "the searched text is not in the part of the body within the size limit",
    [.aboutContent, .undecided])
  /// The body's content coding is broken or unknown.
  public static let bodyEncoding = known(
    "body.encoding", "the body's content coding is broken or unknown", .aboutContent)

  /// The peer sent what a reject step of a dialog names.
  public static let dialogRejected = known(
    "dialog.rejected", "the peer sent data that a reject step of the dialog matches", .aboutContent)

  /// A phase took longer than it should.
  public static let tooSlow = known("timing.tooSlow", "a phase took too long", .aboutConnection)
  /// The phase whose time is to be judged did not take place.
  public static let noTiming = known(
    "timing.unknown", "the phase whose time is to be checked did not take place", .aboutConnection)

  /// A pattern needed more work than its limits allow.
  public static let matchLimit = known(
    "match.limit", "a pattern exceeded its limits for work or memory", [.aboutContent, .undecided])
  /// A validator rejected the response and gave no code of its own.
  public static let rejected = known(
    "validator.rejected", "a validator rejected the response without a reason code")

  /// An unencrypted URL under the HTTPS-only policy.
  public static let plaintext = known(
    "policy.plaintext", "an unencrypted URL under the HTTPS-only policy", .byCaller)
  /// An encrypted exchange was redirected to an unencrypted URL under the HTTPS-only policy.
  public static let downgrade = known(
    "policy.downgrade",
    "an encrypted exchange was redirected to an unencrypted URL under the HTTPS-only policy")
  /// A portal named a loopback or link-local address; only the user may name one.
  public static let addressRefused = known(
    "policy.address", "a portal specified a loopback or link-local address; only the user may specify one")

  /// The request itself cannot be used: its URL, scheme or options.
  public static let invalidRequest = known(
    "request.invalid", "the request is invalid: its URL, scheme or options", .byCaller)
  /// The probe was cancelled.
  public static let cancelled = known("cancelled", "the probe was cancelled", .byCaller)

  /// This machine has no usable store of trusted certificates.
  public static let noTrustStore = known(
    "local.trustStore", "this machine has no usable store of trusted certificates", .thisMachine)
  /// This machine does not have the interface or address a probe is to leave by.
  public static let noSource = known(
    "local.source", "this machine does not have the given outgoing interface or source address",
    .thisMachine)
  /// This process has no file descriptor left.
  public static let noDescriptors = known(
    "local.descriptors", "this process has no file descriptor left", .thisMachine)
  /// This process has no memory left.
  public static let noMemory = known("local.memory", "this process has no memory left", .thisMachine)
  /// A transport failed in a way it did not name.
  public static let transportFailure = known(
    "transport.failure", "a transport failed without a reason code")
}

extension ReasonCode {
  /// Every code ProbeKit itself uses, in the order of the layers they come from.
  public static let all: [ReasonCode] = [
    .noSuchHost, .dnsFailure, .connectRefused, .connectUnreachable, .connectReset, .connectFailed,
    .addressMismatch, .noAddress, .proxyUnreachable, .proxyRefused, .proxyFailed, .resolveTimeout,
    .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout, .totalTimeout, .certificateExpired,
    .certificateNotYetValid, .certificateWrongHost, .certificateUntrusted, .certificateSelfSigned,
    .certificateInvalid, .tlsHandshake, .notTLS, .certificateExpiresSoon, .noCertificate, .httpProtocol,
    .httpNoResponse, .httpHeadTooLarge, .httpStatus, .httpHeader, .tooManyRedirects, .bodyMismatch,
    .bodyShort, .bodyTooLarge, .bodyEncoding, .dialogRejected, .tooSlow, .noTiming, .matchLimit, .rejected,
    .plaintext, .downgrade, .addressRefused, .invalidRequest, .cancelled, .noTrustStore, .noSource,
    .noDescriptors, .noMemory, .transportFailure,
  ]
}
