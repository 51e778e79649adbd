import ProbeCore

/// What a URL that an answer names tells about a login.
extension ProbeURL {
  /// Whether a browser opens it as a page of the web; anything else is no place to log in.
  var isWebPage: Bool { scheme == .http || scheme == .https }

  /// Whether two URLs ask the same of the same server.
  func isSameRequest(as other: ProbeURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port && requestTarget == other.requestTarget
  }
}
