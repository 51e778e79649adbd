public import ProbeCore
import TextDecoding

/// The places an answer leads to, of which the best is where to log in.
struct LoginPlaces {
  /// A place, and where in the answer it was found.
  struct Place {
    let url: ProbeURL
    let source: LoginURLSource
    /// Whether all of it is known; otherwise parts are left out that it needs.
    let isWhole: Bool
    /// Whether it leads off the host that was asked, and so to somebody else's own.
    let isOffHost: Bool
    /// How much it counts among those of its source: what happens by itself before what a person has to press.
    let isAutomatic: Bool
    /// Whether it is the action of a form with fields for a login.
    let asksForCredentials: Bool
  }

  private(set) var places: [Place] = []
  private let asked: ProbeURL
  private let url: ProbeURL
  /// What references are relative to.
  private var base: ProbeURL
  /// The charset of the page, once it is read: that of the queries in it (HTML standard §2.4.2 "encoding-parse a URL").
  var charset: Charset?

  /// No places yet.
  ///
  /// - Parameters:
  ///   - asked: The URL that was asked first.
  ///   - url: The URL that the answer is for.
  init(asked: ProbeURL, at url: ProbeURL) {
    self.asked = asked
    self.url = url
    base = url
  }

  /// Takes the page's word for what references are relative to (HTML standard §4.2.3).
  mutating func setBase(_ reference: String) {
    guard let stated = resolve(reference, against: url), stated.isWebPage else { return }
    base = stated
  }

  /// Takes back the place that was added last.
  mutating func removeLast() {
    places.removeLast()
  }

  /// Adds where a reference leads; one that leads to no page of the web, or back to what was asked, adds nothing.
  ///
  /// - Returns: The place.
  @discardableResult
  mutating func add(
    _ reference: String, _ source: LoginURLSource, isWhole: Bool = true, isAutomatic: Bool = true,
    asksForCredentials: Bool = false
  ) -> Place? {
    // What is empty, or only a place within the page, leads nowhere else.
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

  /// Whether a reference has the marks of a host but no host, as what a template made without knowing it; browsers
  /// take the first part of the path for one (WHATWG URL §4.4).
  private static func lacksHost(_ reference: String) -> Bool {
    guard let mark = reference.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return reference.utf8[mark...].starts(with: ":///".utf8)
  }

  /// The best place to open.
  var best: Place? { first { $0.isWhole && asked.mayLead(to: $0.url) } }

  /// The best of those that nobody is sent to.
  var withheld: Place? { first { $0.isWhole && !asked.mayLead(to: $0.url) } }

  /// Where the answer leads first of all, be it known in part only.
  var foremost: Place? { first { _ in true } }

  /// The first place: off the host before on it, by itself before on pressing, then by the weight of its source, then
  /// in the order of the answer.
  private func first(where isMeant: (Place) -> Bool) -> Place? {
    places.enumerated().filter { isMeant($0.element) }.min { left, right in
      left.element.rank(left.offset) < right.element.rank(right.offset)
    }?.element
  }
}

extension LoginPlaces.Place {
  fileprivate func rank(_ position: Int) -> (Int, Int, Int) {
    // A script that waits for a click says no more than a form does, and less than a form for a login.
    let rank = source.rank + (isAutomatic ? 0 : 1) - (asksForCredentials ? 1 : 0)
    return (isOffHost ? 0 : 1, rank, position)
  }
}

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

/// What a URL that an answer names tells about a login.
extension ProbeURL {
  /// Whether a browser opens it as a page of the web; anything else is no place to log in.
  var isWebPage: Bool { scheme == .http || scheme == .https }

  /// Whether two URLs ask the same of the same server.
  func isSameRequest(as other: ProbeURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port && requestTarget == other.requestTarget
  }
}
