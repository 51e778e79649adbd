/// What goes wrong with an answer.
public struct ReplayFault: Hashable, Sendable {
  /// The kinds of faults, by their names in a fixture.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The answer comes late, by ``ReplayFault/duration``.
    case delay
    /// The connection is reset in place of an answer.
    case rstEarly = "rst-early"
    /// The connection is reset after ``ReplayFault/bytes`` of the answer, once the client has acknowledged them.
    case rstAfter = "rst-after"
    /// The connection is ended in place of an answer.
    case emptyFin = "empty-fin"
    /// The sending side is ended after ``ReplayFault/bytes`` of the answer; the receiving side stays.
    case halfClose = "half-close"
    /// The connection is ended after ``ReplayFault/bytes`` of the content, fewer than were announced.
    case shortBody = "short-body"
    /// The content is sent in chunks (RFC 9112 §7.1), and the connection ended before the last one.
    case chunkCut = "chunk-cut"
    /// The content is sent in chunks, and the size of the last one is `zz`.
    case chunkBad = "chunk-bad"
    /// The connection is ended after ``ReplayFault/bytes`` of the answer, inside its head.
    case headerCut = "header-cut"
    /// Bytes that are no HTTP come in place of an answer.
    case garbage
    /// The head comes ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowHeaders = "slow-headers"
    /// The content comes ``ReplayFault/bytes`` at a time, one part every ``ReplayFault/every``.
    case slowBody = "slow-body"
    /// The answer stops inside its head, and the connection stays.
    case stallHeaders = "stall-headers"
    /// The answer stops inside its content, and the connection stays.
    case stallBody = "stall-body"
    /// Three interim responses (`100 Continue`) come, and never the final one.
    case continueForever = "continue-forever"
    /// The head never ends.
    case endlessHeaders = "endless-headers"
    /// The content never ends.
    case endlessBody = "endless-body"
    /// The content is labelled gzip and is not.
    case badGzip = "bad-gzip"
    /// The content is a megabyte of gzip that unfolds to a gigabyte.
    case gzipBomb = "gzip-bomb"
  }

  /// What goes wrong.
  public var kind: Kind
  /// How many bytes, for the kinds that count some; nil for the kind's own default.
  public var bytes: Int?
  /// The time between two parts, for the slow kinds; nil for a tenth of a second.
  public var every: Duration?
  /// How late, for a delay.
  public var duration: Duration?
  /// Which of the route's hits it befalls, counted from 1; nil for all.
  public var requests: Set<Int>?

  /// A fault.
  public init(
    _ kind: Kind, bytes: Int? = nil, every: Duration? = nil, for duration: Duration? = nil,
    requests: Set<Int>? = nil
  ) {
    self.kind = kind
    self.bytes = bytes
    self.every = every
    self.duration = duration
    self.requests = requests
  }

  /// Whether it befalls a route's hit with this number, counted from 1.
  package func befalls(hit number: Int) -> Bool {
    requests?.contains(number) ?? true
  }
}
