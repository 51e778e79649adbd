/// A whole HTTP request.
public struct ReplayRequest: Hashable, Sendable {
  /// Its head.
  public var head: RequestHead
  /// Its content, the framing of chunks removed.
  public var body: [UInt8]
}
