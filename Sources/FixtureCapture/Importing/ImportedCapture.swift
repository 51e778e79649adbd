/// Exchanges that another program has recorded, and what its format has lost of them.
public struct ImportedCapture: Sendable {
  /// The exchanges, in the order in which they were made; what was received is rebuilt where the format keeps no bytes.
  public var exchanges: [RecordedExchange]
  /// What the format does not keep, a sentence each, such as `the reason phrase`.
  public var losses: [String]
  /// What it was read from, such as `HAR 1.2 by Firefox 128`.
  public var origin: String

  /// An imported capture.
  public init(exchanges: [RecordedExchange], losses: [String], origin: String) {
    self.exchanges = exchanges
    self.losses = losses
    self.origin = origin
  }
}
