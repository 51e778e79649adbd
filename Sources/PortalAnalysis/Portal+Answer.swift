public import ProbeCore

/// Finding the portal in one answer.
extension Portal {
  /// The portal that an answer gives away; nil when it shows no sign of one.
  ///
  /// A redirect off the probed host counts when it came over an unencrypted exchange: one from a verified server is
  /// that server's own doing. Status 511 (RFC 6585 §6) counts on any scheme.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - url: The URL that was asked first, before any redirect.
  ///   - encryption: Whether a scheme is encrypted; nil for a scheme nothing is known of.
  public init?(of answer: ProbeResponse, asked url: ProbeURL, encryption: (URLScheme) -> Encryption?) {
    if let target = answer.plainRedirectOffHost(from: url, encryption: encryption)?.target, target.isWebPage {
      self.init(loginURL: target, source: .location)
    } else if let head = answer.head, head.status == 511 {
      self.init(networkAuthentication: head, answer)
    } else {
      return nil
    }
  }

  /// The portal that a 511 answer (RFC 6585 §6) speaks for: such an answer should say where to log in.
  private init(networkAuthentication head: HTTPResponseHead, _ answer: ProbeResponse) {
    if let location = head.fields["Location"].flatMap(answer.url.resolve), location.isWebPage {
      self.init(loginURL: location, source: .location)
    } else if let page = PageLinks(answer.body, at: answer.url), let url = page.refresh ?? page.firstLink {
      self.init(loginURL: url, source: .body511)
    } else {
      self.init(loginURL: answer.url, source: .probeURL)
    }
  }
}

extension ProbeResponse {
  /// The first redirect on the way to this answer that came over an unencrypted exchange and leads off the host that
  /// was asked.
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

extension ProbeURL {
  /// Whether a browser opens it as a page of the web; anything else is no place to log in.
  var isWebPage: Bool { scheme == .http || scheme == .https }
}
