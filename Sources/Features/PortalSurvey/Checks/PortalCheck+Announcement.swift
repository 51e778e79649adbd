import ProbeCore

extension PortalCheck {
  /// The announcement of a captive-portal API (RFC 8910).
  static let announcement: [PortalCheck] = [
    PortalCheck(
      "announce.unrestricted", .error, nil, .beforeLogin, "RFC 8910 §2",
      requires: "A network with a portal does not announce that it has none",
      harm: "Clients that read the announcement do not look for a portal and show no login page.",
      fix: "Announce the URL of the API in place of \(unrestricted), or nothing."
    ) { input in
      guard input.announced.contains(unrestricted) else {
        return input.announced.isEmpty ? .notApplicable : .met
      }
      return input.facts.isOpen
        ? .met : .unmet("The network has a portal and announces that it has none", [unrestricted])
    },
    PortalCheck(
      "announce.https", .error, .must, .always, "RFC 8908 §4",
      requires: "The announced URL is an https URL",
      harm: "Clients ignore the announcement, and never use the API.",
      fix: "Serve the API over HTTPS with a certificate that clients trust, and announce that URL."
    ) { input in
      let urls = input.announced.filter { $0 != unrestricted }
      guard !urls.isEmpty else { return .notApplicable }
      return .unless(
        urls.filter { (try? ProbeURL($0))?.scheme != .https }.map { $0.escapedForDisplay },
        "The announced API is not an https URL")
    },
    PortalCheck(
      "announce.identical", .error, .should, .always, "RFC 8910 §2, §3",
      requires: "DHCPv4, DHCPv6 and router advertisements announce the same URL",
      harm: "What a client shows depends on the protocol that it prefers.",
      fix: "Announce the same URL by every protocol."
    ) { input in
      let found = input.facts.announcements.filter { $0.text != nil }
      guard found.count > 1 else { return .notApplicable }
      return input.announced.count == 1
        ? .met
        : .unmet(
          "The network announces different URLs",
          found.map { "\($0.method.words): \(($0.text ?? "").escapedForDisplay)" })
    },
    PortalCheck(
      "announce.length", .warning, .should, .always, "RFC 8910 §2",
      requires: "The announced URL has at most 255 bytes",
      harm: "A DHCPv4 option has room for 255 bytes, so clients get it in parts or not at all.",
      fix: "Announce a shorter URL."
    ) { input in
      guard !input.announced.isEmpty else { return .notApplicable }
      return .unless(
        input.announced.filter { $0.utf8.count > 255 }.map { "\($0.utf8.count) bytes: \(Excerpt($0))" },
        "The announced URL is too long")
    },
    PortalCheck(
      "announce.name", .warning, .should, .always, "RFC 8910 §2",
      requires: "The announced URL has a host name, not an address",
      harm:
        "Few authorities issue certificates for addresses, such as Let's Encrypt for six days, and none for private addresses.",
      fix: "Give the API a host name that resolves before the login, and a certificate for it."
    ) { input in
      let urls = input.announced.compactMap { try? ProbeURL($0) }
      guard !urls.isEmpty else { return .notApplicable }
      return .unless(
        urls.filter { $0.address != nil }.map(\.string), "The announced URL has an address in place of a name"
      )
    },
  ]

  /// The checks of a network without an announcement.
  static let lackingAnnouncement: [PortalCheck] = [
    PortalCheck(
      "announce.present", .warning, nil, .beforeLogin, "RFC 8910 §2",
      requires: "The network announces its captive-portal API",
      harm: "Clients depend on intercepted requests alone to find the portal.",
      fix: "Serve an API (RFC 8908), and announce its URL by DHCPv4 option 114, DHCPv6 option 103 and router "
        + "advertisements (type 37)."
    ) { input in
      guard input.announced.isEmpty else { return .met }
      guard !input.facts.isOpen else { return .notApplicable }
      let unknown = input.facts.announcements.compactMap(\.unknownReason)
      guard unknown.isEmpty, !input.facts.announcements.isEmpty else {
        return .unknown(
          unknown.first ?? "no DHCP client of this machine keeps the option: name the API with --capport URL")
      }
      return .unmet(
        "The network announces no captive-portal API",
        input.facts.announcements.map { "\($0.method.words): none, by \($0.origin)" })
    }
  ]

  /// The announcement that there is no portal (RFC 8910 §2).
  static let unrestricted = "urn:ietf:params:capport:unrestricted"
}
