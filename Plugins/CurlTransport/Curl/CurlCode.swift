internal import CProbeCurl

/// A result code of libcurl (libcurl-errors(3)); new versions may add codes.
package struct CurlCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32

  /// A result with a numeric code.
  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ code: CURLcode) {
    rawValue = code.rawValue
  }
}

extension CurlCode {
  package static let ok = CurlCode(CURLE_OK)
  /// The URL's scheme is not supported, or the response was HTTP/0.9.
  static let unsupportedProtocol = CurlCode(CURLE_UNSUPPORTED_PROTOCOL)
  static let malformedURL = CurlCode(CURLE_URL_MALFORMAT)
  static let couldNotResolve = CurlCode(CURLE_COULDNT_RESOLVE_HOST)
  /// The proxy's name could not be resolved.
  static let couldNotResolveProxy = CurlCode(CURLE_COULDNT_RESOLVE_PROXY)
  /// The SOCKS handshake failed.
  package static let proxyFailed = CurlCode(CURLE_PROXY)
  /// The source interface or address is unusable.
  static let interfaceFailed = CurlCode(CURLE_INTERFACE_FAILED)
  /// The connection could not be established.
  static let couldNotConnect = CurlCode(CURLE_COULDNT_CONNECT)
  /// The server's response is invalid.
  static let weirdReply = CurlCode(CURLE_WEIRD_SERVER_REPLY)
  /// An error of the HTTP/2 framing.
  package static let http2 = CurlCode(CURLE_HTTP2)
  /// The body ended early.
  static let partialFile = CurlCode(CURLE_PARTIAL_FILE)
  /// A receiver ended the transfer.
  static let writeError = CurlCode(CURLE_WRITE_ERROR)
  /// No memory is available.
  package static let outOfMemory = CurlCode(CURLE_OUT_OF_MEMORY)
  /// Something exceeds a limit of libcurl; older versions report ``outOfMemory``.
  package static let tooLarge = CurlCode(rawValue: 100)
  /// The server requires a client certificate.
  static let clientCertificateWanted = CurlCode(CURLE_SSL_CLIENTCERT)
  /// A timeout expired.
  package static let timedOut = CurlCode(CURLE_OPERATION_TIMEDOUT)
  package static let tlsFailed = CurlCode(CURLE_SSL_CONNECT_ERROR)
  /// An invalid argument of an internal function; libcurl also reports it for an invalid chunk size or header
  /// line.
  static let badArgument = CurlCode(CURLE_BAD_FUNCTION_ARGUMENT)
  /// The task was cancelled.
  package static let cancelled = CurlCode(CURLE_ABORTED_BY_CALLBACK)
  /// The server closed the connection without a response.
  static let gotNothing = CurlCode(CURLE_GOT_NOTHING)
  static let sendError = CurlCode(CURLE_SEND_ERROR)
  static let receiveError = CurlCode(CURLE_RECV_ERROR)
  /// The certificate was rejected.
  static let peerNotVerified = CurlCode(CURLE_PEER_FAILED_VERIFICATION)
  /// The content coding is invalid or unknown.
  static let badEncoding = CurlCode(CURLE_BAD_CONTENT_ENCODING)
  /// An error of one HTTP/2 stream.
  static let http2Stream = CurlCode(CURLE_HTTP2_STREAM)
}

/// A SOCKS proxy's error reply (RFC 1928 §6), from libcurl's `CURLPX_…` code.
package struct SOCKSReply: Hashable, Sendable {
  /// A description, or nil if the proxy closed the connection or did not respond with SOCKS.
  package let words: String?

  /// A SOCKS reply with libcurl's code.
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

/// The features of the installed libcurl.
package enum CurlFeatures {
  private static let bits = probe_curl_features()

  private static func has(_ feature: Int32) -> Bool { bits & feature != 0 }

  /// The content codings it can decode, other than `identity`.
  package static let contentCodings: [String] =
    (has(CURL_VERSION_LIBZ) ? ["gzip", "deflate"] : []) + (has(CURL_VERSION_BROTLI) ? ["br"] : [])
    + (has(CURL_VERSION_ZSTD) ? ["zstd"] : [])
  /// Whether a reused handle keeps a pointer into the previous head, as versions before 8.0 do.
  static let keepsFreedFields = probe_curl_version() < 0x08_0000
  package static let supportsHTTP2 = has(CURL_VERSION_HTTP2)
  /// Whether it supports TLS to a proxy.
  static let supportsEncryptedProxies = has(CURL_VERSION_HTTPS_PROXY)
}
