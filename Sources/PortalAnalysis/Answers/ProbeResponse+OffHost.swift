public import ProbeCore

extension ProbeResponse {
  /// The first redirect on the way to this answer that came over an unencrypted exchange and leads off the host that
  /// was asked.
  ///
  /// One from a verified server is that server's own doing.
  ///
  /// - Parameters:
  ///   - url: The URL that was asked first.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  /// - Returns: nil when there is none.
  public func plainRedirectOffHost(
    from url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> RedirectHop? {
    redirects.first { hop in
      guard let target = hop.target, encryption(hop.url.scheme) == .plaintext else { return false }
      return url.isOffHost(target)
    }
  }
}
