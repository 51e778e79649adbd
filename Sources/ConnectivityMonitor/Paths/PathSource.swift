public import ProbeCore

/// What tells of this machine's interfaces and routes: ``PathMonitor`` on Linux, something made up in a test.
public protocol PathSource: Sendable {
  /// The path as it is now.
  var path: NetworkPath { get }

  /// The path now, and then each change of it.
  ///
  /// A slow reader gets the newest path and misses those between. The sequence ends when the source does; reading it
  /// keeps the source alive. Nothing is left behind once nobody reads it any more.
  func changes() -> AsyncStream<NetworkPath>

  /// The way that the kernel would take to a destination, or nil when there is none.
  ///
  /// Nothing is sent.
  ///
  /// - Throws: ``PathFailure`` when the kernel cannot be asked.
  func route(to destination: IPAddress) throws(PathFailure) -> Route?
}

/// Why nothing can be told of interfaces and routes.
public struct PathFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, in words: one line, safe to print.
  public var description: String
  /// The system's error number, or nil where there is none.
  public var systemCode: Int32?

  /// A failure.
  public init(_ description: String, systemCode: Int32? = nil) {
    self.description = description
    self.systemCode = systemCode
  }
}
