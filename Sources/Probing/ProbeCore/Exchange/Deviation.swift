package import ProbeHTTPWire

/// A violation of HTTP in a response that is accepted nevertheless, as browsers do; the set may grow.
public struct Deviation: RawRepresentable, Hashable, Sendable {
  /// The name, such as `bareLineFeed`.
  public let rawValue: String

  /// Creates a deviation from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No status line: a text, as in HTTP/0.9.
  ///
  /// It is accepted with ``HTTPRequestOptions/acceptsIncompleteHeads`` only; otherwise it is a failure whose partial
  /// response has the text as its body.
  public static let http09 = Deviation(rawValue: "http09")
  /// The connection ended inside the head.
  public static let cutHead = Deviation(rawValue: "cutHead")
  /// Bytes before the status line.
  public static let bytesBeforeStatusLine = Deviation(rawValue: "bytesBeforeStatusLine")
  /// A version that is not two digits with a dot between them (RFC 9112 §2.3).
  public static let oddVersion = Deviation(rawValue: "oddVersion")
  /// A status line without a status; the status counts as 200.
  public static let noStatus = Deviation(rawValue: "noStatus")
  /// A status of fewer than three digits (RFC 9112 §4).
  public static let shortStatus = Deviation(rawValue: "shortStatus")
  /// More than one space before the status (RFC 9112 §4).
  public static let spacesBeforeStatus = Deviation(rawValue: "spacesBeforeStatus")
  /// A line of the head that ends in LF alone (RFC 9112 §2.2).
  public static let bareLineFeed = Deviation(rawValue: "bareLineFeed")
  /// A line of the head without a name and a colon; it is ignored.
  public static let noField = Deviation(rawValue: "noField")
  /// White space between the name of a field and its colon (RFC 9112 §5.1).
  public static let spaceBeforeColon = Deviation(rawValue: "spaceBeforeColon")
  /// A field folded over several lines (RFC 9112 §5.2).
  public static let foldedLine = Deviation(rawValue: "foldedLine")
  /// A Content-Length that is not a number (RFC 9110 §8.6); it is ignored.
  public static let noLength = Deviation(rawValue: "noLength")
  /// A Content-Length together with chunked coding (RFC 9112 §6.3); the Content-Length is ignored.
  public static let lengthAndChunks = Deviation(rawValue: "lengthAndChunks")
  /// An unknown transfer coding (RFC 9112 §6.1); the body is left as received.
  public static let unknownTransferCoding = Deviation(rawValue: "unknownTransferCoding")
  /// Several Location fields that differ (RFC 9110 §10.2.2); the first one counts.
  public static let differentLocations = Deviation(rawValue: "differentLocations")
  /// Chunked coding in an HTTP/1.0 response (RFC 9112 §6.1).
  public static let chunksBeforeHTTP11 = Deviation(rawValue: "chunksBeforeHTTP11")
  /// An unknown content coding (RFC 9110 §8.4); the body is left as received.
  public static let unknownContentCoding = Deviation(rawValue: "unknownContentCoding")
  /// A compressed body that ends prematurely.
  public static let cutContentCoding = Deviation(rawValue: "cutContentCoding")
  /// A gzip body with a wrong checksum, which is accepted only as browsers do
  /// (``HTTPRequestOptions/acceptsIncompleteHeads``).
  public static let wrongChecksum = Deviation(rawValue: "wrongChecksum")
  /// Bytes after the end of a compressed body; they are ignored.
  public static let bytesBehindCoding = Deviation(rawValue: "bytesBehindCoding")
}

extension Deviation {
  /// Every deviation that ProbeKit itself reports.
  public static let all: [Deviation] = [
    .http09, .cutHead, .bytesBeforeStatusLine, .oddVersion, .noStatus, .shortStatus, .spacesBeforeStatus,
    .bareLineFeed,
    .noField, .spaceBeforeColon, .foldedLine, .noLength, .lengthAndChunks, .unknownTransferCoding,
    .chunksBeforeHTTP11, .differentLocations, .unknownContentCoding, .cutContentCoding, .wrongChecksum,
    .bytesBehindCoding,
  ]

  /// The deviations for the leniencies of an HTTP/1 reader, in the order of the standard.
  package static func of(_ leniencies: Leniencies) -> [Deviation] {
    guard !leniencies.isEmpty else { return [] }
    let all: [(Leniencies, Deviation)] = [
      (.bytesBeforeStatusLine, .bytesBeforeStatusLine), (.oddVersion, .oddVersion), (.noStatus, .noStatus),
      (.shortStatus, .shortStatus),
      (.spacesBeforeStatus, .spacesBeforeStatus), (.bareLineFeed, .bareLineFeed), (.noField, .noField),
      (.spaceBeforeColon, .spaceBeforeColon), (.foldedLine, .foldedLine), (.noLength, .noLength),
      (.lengthAndChunks, .lengthAndChunks), (.unknownTransferCoding, .unknownTransferCoding),
      (.chunksBeforeHTTP11, .chunksBeforeHTTP11),
    ]
    return all.filter { leniencies.contains($0.0) }.map(\.1)
  }
}

extension Deviation: CustomStringConvertible {
  /// The deviation in words.
  public var description: String {
    switch self {
    case .http09: "no status line (HTTP/0.9)"
    case .cutHead: "a head that ends with the connection"
    case .bytesBeforeStatusLine: "bytes before the status line"
    case .oddVersion: "an invalid HTTP version"
    case .noStatus: "a status line without a status"
    case .shortStatus: "a status of fewer than three digits"
    case .spacesBeforeStatus: "several spaces before the status"
    case .bareLineFeed: "a line that ends in LF alone"
    case .noField: "a header line without a name and a colon"
    case .spaceBeforeColon: "a space before the colon of a header field"
    case .foldedLine: "a folded header field"
    case .noLength: "a Content-Length that is not a number"
    case .lengthAndChunks: "a Content-Length beside chunks"
    case .unknownTransferCoding: "an unknown transfer coding"
    case .differentLocations: "several Location fields that differ"
    case .chunksBeforeHTTP11: "chunks in an HTTP/1.0 response"
    case .unknownContentCoding: "an unknown content coding"
    case .cutContentCoding: "a compressed body without its end"
    case .wrongChecksum: "a compressed body with a wrong checksum"
    case .bytesBehindCoding: "bytes after the end of the compressed body"
    default: rawValue.escapedForDisplay
    }
  }
}
