import ProbeCore

/// What a network announces of its captive-portal API (RFC 8910 §2).
enum CapportAnnouncement {
  /// Nothing, or nothing that is asked for.
  case none
  /// That there is no captive portal.
  case unrestricted
  /// An API.
  case api(ProbeURL)
  /// What is no https URL, as announced.
  case unusable(String)

  /// The value that says that there is no captive portal (RFC 8910 §2).
  private static let noPortal = "urn:ietf:params:capport:unrestricted"

  /// Reads what was announced.
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
  /// What the network announces, as far as this plan asks for it.
  var announcement: CapportAnnouncement {
    guard asksAnnouncedCapport, capport == nil, let announcedCapport else { return .none }
    return CapportAnnouncement(announcedCapport)
  }

  /// The API that is asked, or nil for none.
  var askedCapport: ProbeURL? {
    if let capport { return capport }
    guard case .api(let url) = announcement else { return nil }
    return url
  }
}

extension Evidence {
  /// What the network announces in place of an API, or nil when that is nothing.
  static func announcement(_ announcement: CapportAnnouncement) -> Evidence? {
    switch announcement {
    case .none, .api: nil
    case .unrestricted: Evidence(.capport, "the network announces that it has no captive portal", probes: [])
    case .unusable(let text):
      Evidence(
        .capport,
        "the network announces \(Excerpt(text)) as its captive-portal API, which is no https URL and was not asked",
        probes: [])
    }
  }
}
