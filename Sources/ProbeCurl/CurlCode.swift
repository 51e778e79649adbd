internal import CProbeCurl
internal import CProbeShims

/// A result of libcurl (libcurl-errors(3)); the set grows with its versions.
package struct CurlCode: RawRepresentable, Hashable, Sendable {
  /// The number.
  package let rawValue: UInt32

  /// A result by its number.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ code: CURLcode) {
    rawValue = code.rawValue
  }
}

extension CurlCode {
  /// All went well.
  package static let ok = CurlCode(CURLE_OK)
  /// The URL's scheme is not supported, or the answer was HTTP/0.9.
  package static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
  /// The URL cannot be read.
  package static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
  /// The name could not be looked up.
  package static let couldNotResolve = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
  /// The proxy's name could not be looked up.
  package static let couldNotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
  /// A SOCKS proxy did not do what it was asked for.
  package static let proxyFailed = CurlCode(CURLE_PROXY)
  /// The interface or address to leave by cannot be used.
  package static let interfaceFailed = CurlCode(CURLE_INTERFACE_FAILED)
  /// The connection did not come about.
  package static let couldNotConnect = CurlCode(CURLE_COULDNT_CONNECT)
  /// The server's answer cannot be read.
  package static let weirdReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
  /// An error of the HTTP/2 framing.
  package static let http2 = CurlCode(CURLE_HTTP2)
  /// The body ended early.
  package static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
  /// A receiver ended the transfer.
  package static let writeError = CurlCode(CURLE_WRITE_ERROR)
  /// No memory left.
  package static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
  /// Something is larger than libcurl has room for; older versions call it ``outOfMemory``.
  package static let tooLarge = CurlCode(rawValue: 100)
  /// The server wants a certificate of the client's.
  package static let clientCertificateWanted = CurlCode(CURLE_SSL_CLIENTCERT)
  /// A time limit passed.
  package static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
  /// The TLS handshake failed.
  package static let tlsFailed = CurlCode(CURLE_SSL_CONNECT_ERROR)
  /// An argument that a function of libcurl's own did not take; it is also its word for a size of a chunk and for a line of
  /// a head that it cannot read.
  package static let badArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
  /// The task was cancelled.
  package static let cancelled = CurlCode(CURLE_ABORTED_BY_CALLBACK)
  /// The server closed the connection without an answer.
  package static let gotNothing = CurlCode(CURLE_GOT_NOTHING)
  /// Sending failed.
  package static let sendError = CurlCode(CURLE_SEND_ERROR)
  /// Receiving failed.
  package static let receiveError = CurlCode(CURLE_RECV_ERROR)
  /// The certificate was not accepted.
  package static let peerNotVerified = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
  /// The content coding is broken or unknown.
  package static let badEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
  /// An error of one HTTP/2 stream.
  package static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
}

/// What a SOCKS proxy said in place of making a connection (RFC 1928 §6), from libcurl's `CURLPX_…` code.
package struct SOCKSReply: Hashable, Sendable {
  /// In words, or nil when it broke off, or spoke no SOCKS.
  package let words: String?

  /// A reply by libcurl's code.
  package init(_ code: UInt32) {
    words =
      switch CURLproxycode(rawValue: code) {
      case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: "it requires another authentication method"
      case CURLPX_REPLY_NOT_ALLOWED: "its rules do not allow it"
      case CURLPX_REPLY_CONNECTION_REFUSED: "the server refused the connection"
      case CURLPX_REPLY_HOST_UNREACHABLE: "the host cannot be reached"
      case CURLPX_REPLY_NETWORK_UNREACHABLE: "the network cannot be reached"
      case CURLPX_REPLY_TTL_EXPIRED: "the route is too long or a loop"
      case CURLPX_REPLY_GENERAL_SERVER_FAILURE: "it failed without saying why"
      case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: "it does not make connections"
      case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED: "it does not know this kind of address"
      case CURLPX_REPLY_UNASSIGNED, CURLPX_REQUEST_FAILED: "it gave no known reason"
      default: nil
      }
  }
}

/// What the libcurl of this machine can do.
package enum CurlFeatures {
  private static let bits = probe_curl_features()

  private static func has(_ feature: Int32) -> Bool { bits & feature != 0 }

  /// The content codings it can undo, besides `identity`.
  package static let contentCodings: [String] =
    (has(CURL_VERSION_LIBZ) ? ["gzip", "deflate"] : []) + (has(CURL_VERSION_BROTLI) ? ["br"] : [])
    + (has(CURL_VERSION_ZSTD) ? ["zstd"] : [])
  /// Whether a handle that is used again keeps a pointer into the head it received before, as versions before 8.0 do.
  static let keepsFreedFields = probe_curl_version() < 0x08_0000
  /// Whether it speaks HTTP/2.
  package static let speaksHTTP2 = has(CURL_VERSION_HTTP2)
  /// Whether it can speak to a proxy inside TLS.
  package static let supportsEncryptedProxies = has(CURL_VERSION_HTTPS_PROXY)
}
