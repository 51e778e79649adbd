internal import CCurl
internal import ProbeCore

/// Going through a proxy.
extension EasyHandle {
  /// `CURLAUTH_BASIC`, a macro with a cast.
  private static let basicAuthentication = 1

  func setProxy(_ proxy: ProbeProxy) {
    set(CURLOPT_PROXY, proxy.description)
    // What the proxy says when it makes a tunnel is no part of the answer.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Not the tickets of Kerberos, which the environment names.
    set(CURLOPT_PROXYAUTH, Self.basicAuthentication)
    set(CURLOPT_SOCKS5_AUTH, Self.basicAuthentication)
    if let user = proxy.user {
      set(CURLOPT_PROXYUSERNAME, user)
      set(CURLOPT_PROXYPASSWORD, proxy.password?.withText(\.self) ?? "")
    }
    guard proxy.kind == .https else { return }
    // As for servers: libcurl's own store stays empty, ours comes with the callback.
    set(CURLOPT_PROXY_CAINFO, nil as String?)
    set(CURLOPT_PROXY_CAPATH, nil as String?)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
  }
}
