/// The environment of a command in a replayed network: that of this process, without proxies, and with the
/// variables that name certificate authorities.
enum CommandEnvironment {
  /// The variables that name a bundle of certificates instead of the system's.
  static let bundleVariables = [
    "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
  ]
  /// The variables that would make a program bypass the network or the bundle.
  private static let removed: Set<String> = [
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "ws_proxy", "wss_proxy",
    "ssl_cert_dir",
  ]

  /// The environment for a command, as `NAME=value`.
  ///
  /// - Parameters:
  ///   - environment: The environment of this process.
  ///   - bundle: The path of the bundle with the replay server's authority.
  /// - Returns: The variables, sorted.
  static func variables(over environment: [String: String], bundle: String) -> [String] {
    var variables = environment.filter { !removed.contains($0.key.lowercased()) }
    for name in bundleVariables { variables[name] = bundle }
    return variables.map { "\($0.key)=\($0.value)" }.sorted()
  }
}
