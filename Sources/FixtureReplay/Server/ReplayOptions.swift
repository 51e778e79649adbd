package import ProbeOpenSSL
public import ProbeCore

/// How a replay server runs; the fixtures say what it answers.
public struct ReplayOptions: Sendable {
  /// The address it listens on: this machine's own, unless told otherwise.
  public var address = IPAddress(v4: 0x7F00_0001)
  /// The port of each listener; a free one where none is given.
  public var ports: [ReplayListener: UInt16] = [:]
  /// The authority whose certificates it shows, or nil for one of its own.
  package var authority: CertificateAuthority?
  /// How much of a request is read.
  public var limits = RequestLimits()
  /// How many entries the journal keeps.
  public var journalCapacity = 10_000
  /// How many bytes of requests the journal keeps at most, whatever their number.
  public var journalBytes = 64 << 20
  /// How long a connection may stay without a request being made on it.
  public var idleTimeout = Duration.seconds(75)

  /// The certificates it shows, in place of those of ``authority``: servers that share them make each once.
  var certificates: ReplayCertificates?
  /// How long a connection that was ended may go on sending what is dropped.
  var longestDrain = Duration.seconds(5)

  /// A server on free ports of 127.0.0.1.
  public init() {}
}

/// Why a replay server cannot run.
public struct ReplayError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    public let rawValue: String

    /// A code from its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An address or a port cannot be had.
    public static let cannotBind = Code(rawValue: "cannotBind")
    /// The machine has no descriptor, thread or memory left.
    public static let noResources = Code(rawValue: "noResources")
    /// Certificates cannot be made.
    public static let noCertificates = Code(rawValue: "noCertificates")
    /// Two fixtures want different things of the same listener.
    public static let conflict = Code(rawValue: "conflict")
    /// The server was stopped.
    public static let stopped = Code(rawValue: "stopped")
  }

  /// The kind of failure.
  public var code: Code
  /// What failed and why, in words.
  public var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReplayError: CustomStringConvertible {
  /// What failed and why.
  public var description: String { message }
}
