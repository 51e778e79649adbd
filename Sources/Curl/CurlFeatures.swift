internal import CCurl
internal import CProbeShims

/// What the libcurl of this machine can do.
public enum CurlFeatures {
  private static let bits = probe_curl_features()

  private static func has(_ feature: Int32) -> Bool { bits & feature != 0 }

  /// The content codings it can undo, besides `identity`.
  public static let contentCodings: [String] =
    (has(CURL_VERSION_LIBZ) ? ["gzip", "deflate"] : []) + (has(CURL_VERSION_BROTLI) ? ["br"] : [])
    + (has(CURL_VERSION_ZSTD) ? ["zstd"] : [])
  /// Whether a handle that is used again keeps a pointer into the head it received before, as versions before 8.0 do.
  static let keepsFreedFields = probe_curl_version() < 0x08_0000
  /// Whether it speaks HTTP/2.
  public static let speaksHTTP2 = has(CURL_VERSION_HTTP2)
  /// Whether it can speak to a proxy inside TLS.
  public static let supportsEncryptedProxies = has(CURL_VERSION_HTTPS_PROXY)
}
