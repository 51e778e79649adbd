import ProbeCore

/// A network's announcement of its captive-portal API (RFC 8910 §2).
enum CapportAnnouncement {
  /// None, or one that this plan does not use.
  case none
  /// The network states that there is no captive portal.
  case unrestricted
  /// The URL of an API.
  case api(ProbeURL)
  /// Text that is not an https URL, as announced.
  case unusable(String)

  /// The value that states that there is no captive portal (RFC 8910 §2).
  private static let noPortal = "urn:ietf:params:capport:unrestricted"

  /// Parses an announcement.
  init(_ text: String) {
    if text == Self.noPortal {
      self = .unrestricted
    } else if let url = try? ProbeURL(text), url.scheme == .https {
      self = .api(url)
    } else {
      self = .unusable(text)
    }
  }
}

extension ProbePlan {
  /// The network's announcement, if this plan uses it.
  var announcement: CapportAnnouncement {
    guard asksAnnouncedCapport, capport == nil, let announcedCapport else { return .none }
    return CapportAnnouncement(announcedCapport)
  }

  /// The API to query, or nil for none.
  var askedCapport: ProbeURL? {
    if let capport { return capport }
    guard case .api(let url) = announcement else { return nil }
    return url
  }
}

extension Evidence {
  /// Evidence for an announcement that does not name an API; nil for others.
  static func announcement(_ announcement: CapportAnnouncement) -> Evidence? {
    switch announcement {
    case .none, .api: nil
    case .unrestricted: Evidence(.capport, "the network announces that it has no captive portal", probes: [])
    case .unusable(let text):
      Evidence(
        .capport,
        "the network announces \(Excerpt(text)) as its captive-portal API, which is not an https URL and was not requested",
        probes: [])
    }
  }
}
