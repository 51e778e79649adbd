import LoopbackServer
import ProbeTLS
import TestSupport

/// An arbitrary HTTP/2 frame (RFC 9113 §4.1).
struct HostileFrame: Sendable {
  let bytes: [UInt8]

  init(_ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ content: [UInt8] = []) {
    let count = [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
    bytes = count + [kind, flags, 0, 0, 0, stream] + content
  }

  /// The server's settings, which are sent first.
  static let settings = HostileFrame(4)
  /// A head with status 200 only (RFC 7541 appendix A), to be followed by a body.
  static let head = HostileFrame(1, flags: 4, stream: 1, [0x88])
  /// An empty part of the body.
  static let emptyData = HostileFrame(0, stream: 1)
  /// One more byte may be sent.
  static let windowUpdate = HostileFrame(8, [0, 0, 0, 1])
  static let priority = HostileFrame(2, stream: 1, [0, 0, 0, 0, 1])
  /// A frame of an unknown type, which is skipped.
  static let unknown = HostileFrame(0xEE)
  /// A frame that requires a response.
  static let ping = HostileFrame(6, [UInt8](repeating: 0, count: 8))
  /// A refusal of the stream, after which the request may be sent again (RFC 9113 §8.7).
  static let refusal = HostileFrame(3, stream: 1, [0, 0, 0, 7])
}

/// A server that sends HTTP/2 frames.
struct HostileHTTP2 {
  let server: LoopbackServer
  /// The file of its authority.
  let authority: TemporaryFile

  init(_ script: @escaping LoopbackServer.Script) throws {
    let authority = try CertificateAuthority()
    self.authority = try TemporaryFile(authority.pem)
    let identity = try authority.issue(LeafOptions(hosts: ["localhost"]))
    server = try LoopbackServer(tls: ServerContext(identity, supportsHTTP2: true)) { connection in
      // The preface and the request's frames.
      _ = try connection.read()
      try script(connection)
    }
  }

  /// A server that sends some frames, and then another one endlessly.
  init(_ frames: [HostileFrame], thenForEver last: HostileFrame) throws {
    let flood = Array(repeatElement(last.bytes, count: 8000).joined())
    try self.init { connection in
      try connection.send(([.settings] + frames).flatMap(\.bytes))
      while true { try connection.send(flood) }
    }
  }

  /// The URL to check.
  func url(_ path: String = "/") -> String { "https://localhost:\(server.port)\(path)" }
}
