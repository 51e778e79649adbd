public import ProbeCore
import TextDecoding

/// The URLs that a response refers to, the best of which is the login URL.
struct LoginPlaces {
  /// A URL, and where in the response it was found.
  struct Place {
    let url: ProbeURL
    let source: LoginURLSource
    /// Whether the URL is complete; otherwise it lacks parts that are unknown.
    let isWhole: Bool
    /// Whether it is on another host than the one requested, and so on a third party's.
    let isOffHost: Bool
    /// Whether it is opened automatically, which counts more within its source than what a user has to press.
    let isAutomatic: Bool
    /// Whether it is the action of a form with fields for a login.
    let asksForCredentials: Bool
  }

  private(set) var places: [Place] = []
  private let asked: ProbeURL
  private let url: ProbeURL
  /// The base URL of references.
  private var base: ProbeURL
  /// The page's charset once known, which is that of queries (HTML standard §2.4.2 "encoding-parse a URL").
  var charset: Charset?

  /// A collection without URLs.
  ///
  /// - Parameters:
  ///   - asked: The URL of the first request.
  ///   - url: The URL of the response.
  init(asked: ProbeURL, at url: ProbeURL) {
    self.asked = asked
    self.url = url
    base = url
  }

  /// Sets the base URL that the page states (HTML standard §4.2.3).
  mutating func setBase(_ reference: String) {
    guard let stated = resolve(reference, against: url), stated.isWebPage else { return }
    base = stated
  }

  /// Removes the URL that was added last.
  mutating func removeLast() {
    places.removeLast()
  }

  /// Adds the target of a reference, unless it is not a web page or is the requested URL itself.
  ///
  /// - Returns: The added entry.
  @discardableResult
  mutating func add(
    _ reference: String, _ source: LoginURLSource, isWhole: Bool = true, isAutomatic: Bool = true,
    asksForCredentials: Bool = false
  ) -> Place? {
    // An empty reference or a fragment is on the same page.
    guard let first = reference.utf8.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#"),
      !Self.lacksHost(reference), let url = resolve(reference, against: base), url.isWebPage,
      !url.isSameRequest(as: asked), !PagePath.endsSession(url.path)
    else { return nil }
    let place = Place(
      url: url, source: source, isWhole: isWhole, isOffHost: asked.isOffHost(url), isAutomatic: isAutomatic,
      asksForCredentials: asksForCredentials)
    places.append(place)
    return place
  }

  private func resolve(_ reference: String, against base: ProbeURL) -> ProbeURL? {
    guard let charset else { return base.resolve(reference) }
    return base.resolve(reference, encodingQuery: charset.encodedForQuery)
  }

  /// Whether a reference has the syntax of a host without one, as from a template that did not know it.
  ///
  /// Browsers parse the first segment of the path as the host (WHATWG URL §4.4).
  private static func lacksHost(_ reference: String) -> Bool {
    guard let mark = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return reference.utf8[mark...].starts(with: ":///".utf8)
  }

  /// The best URL to open.
  var best: Place? { first { $0.isWhole && asked.mayLead(to: $0.url) } }

  /// The best of the URLs that are never opened.
  var withheld: Place? { first { $0.isWhole && !asked.mayLead(to: $0.url) } }

  /// The best URL of the response, even if incomplete.
  var foremost: Place? { first { _ in true } }

  /// The first URL: those on another host, then automatic ones, then by the weight of the source and the
  /// order in the response.
  private func first(where isMeant: (Place) -> Bool) -> Place? {
    places.enumerated().filter { isMeant($0.element) }.min { left, right in
      left.element.rank(left.offset) < right.element.rank(right.offset)
    }?.element
  }
}

extension LoginPlaces.Place {
  fileprivate func rank(_ position: Int) -> (Int, Int, Int) {
    // A script that runs on a click counts no more than a form, and less than a form with fields for a login.
    let rank = source.rank + (isAutomatic ? 0 : 1) - (asksForCredentials ? 1 : 0)
    return (isOffHost ? 0 : 1, rank, position)
  }
}

extension ProbeResponse {
  /// The first redirect before this response that was unencrypted and points to another host than the one
  /// requested.
  ///
  /// A redirect from a verified server is that server's own.
  ///
  /// - Parameters:
  ///   - url: The URL of the first request.
  ///   - encryption: Whether a scheme is encrypted; nil for an unknown scheme.
  /// - Returns: The redirect, or nil if there is none.
  public func plainRedirectOffHost(
    from url: ProbeURL, encryption: (URLScheme) -> Encryption?
  ) -> RedirectHop? {
    redirects.first { hop in
      guard let target = hop.target, encryption(hop.url.scheme) == .plaintext else { return false }
      return url.isOffHost(target)
    }
  }
}

/// What a URL in a response reveals about a login.
extension ProbeURL {
  /// Whether a browser opens it as a web page; nothing else can be a login page.
  var isWebPage: Bool { scheme == .http || scheme == .https }

  /// Whether two URLs result in the same request to the same server.
  func isSameRequest(as other: ProbeURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port && requestTarget == other.requestTarget
  }
}
