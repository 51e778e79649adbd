package import ProbeTLS
public import ProbeCore

/// The settings of a replay server; the fixtures determine its responses.
public struct ReplayOptions: Sendable {
  /// The address to listen on; 127.0.0.1 by default.
  public var address = IPAddress(v4: 0x7F00_0001)
  /// The port of each listener; a free one if none is given.
  public var ports: [ReplayListener: UInt16] = [:]
  /// The authority that signs its certificates, or nil to create one.
  package var authority: CertificateAuthority?
  package var limits = RequestLimits()
  /// The maximum number of entries in the journal.
  public var journalCapacity = 10_000
  /// The maximum number of bytes of requests in the journal, whatever the number of entries.
  public var journalBytes = 64 << 20
  /// How long a connection may stay open without a request.
  public var idleTimeout = Duration.seconds(75)

  /// Whether the server replaces everything beyond an interface: it has a DNS server, a port for connections to
  /// all ports, and takes connections that ``RedirectRules`` redirect to it.
  package var isTransparent = false

  /// The certificates to use instead of those of ``authority``; servers that share them create each only
  /// once.
  var certificates: ReplayCertificates?
  /// How long a client may continue to send after the server has closed a connection; the data is discarded.
  var maximumDrainTime = Duration.seconds(5)

  /// Creates the default options: free ports of 127.0.0.1.
  public init() {}
}

/// The error that prevents a replay server from running.
public struct ReplayError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A short word from a bounded set, suitable as a metric label.
    public let rawValue: String

    /// Creates a code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An address or a port is not available.
    public static let cannotBind = Code(rawValue: "cannotBind")
    /// The machine has no descriptor, thread or memory left.
    public static let noResources = Code(rawValue: "noResources")
    /// Certificates cannot be created.
    public static let noCertificates = Code(rawValue: "noCertificates")
    /// Two fixtures have conflicting modes for the same listener.
    public static let conflict = Code(rawValue: "conflict")
    /// There is no such fixture or route.
    public static let notFound = Code(rawValue: "notFound")
    /// A fixture has no such state.
    public static let unknownState = Code(rawValue: "unknownState")
    /// A fixture has no state for such a client.
    public static let unknownClient = Code(rawValue: "unknownClient")
    /// A route cannot have the fault.
    public static let unfitFault = Code(rawValue: "unfitFault")
    /// The server was stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  /// The kind of failure.
  public var code: Code
  /// What failed and why.
  public var message: String
  /// How to correct it, or nil.
  public var remedy: String?

  init(_ code: Code, _ message: String, remedy: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}

extension ReplayError: CustomStringConvertible {
  /// What failed, why, and how to correct it.
  public var description: String { "\(InvalidInput(message, remedy: remedy))" }
}
