import EngineProfiles
import PortalAnalysis
import ProbeCore
import ProbePipeline

extension PortalCheck {
  /// The checks of traffic that passes before the login.
  static let walledGarden: [PortalCheck] = [
    PortalCheck(
      "garden.endpoints", .error, nil, .beforeLogin, "Android NetworkMonitor, Apple CNA, Windows NCSI",
      dated: "2026-11-30",
      requires: "The hosts that systems probe do not pass before the login",
      harm: "A system whose probe passes treats the network as open and shows no login page.",
      fix:
        "Remove these hosts from the walled garden, also where a pattern such as *.google.com includes them."
    ) { input in
      guard input.isIntercepted else { return .notApplicable }
      return .unless(
        input.plain.filter { $0.outcome == .accepted }.map { "\($0.url.escapedForDisplay): passes" }
          + input.facts.passingEndpoints.map { "\($0.url): passes (\($0.system))" },
        "Probes of some systems pass before the login")
    },
    PortalCheck(
      "garden.ipv6", .error, nil, .always, "RFC 8952 §2.4; opnsense/core#8761, openNDS#408",
      dated: "2026-11-28",
      requires: "IPv6 does not pass before the login",
      harm: "Systems with IPv6 find the network open and show no login page, and users get around the login.",
      fix: "Apply the rules of the portal to IPv6 too, or give clients no IPv6 address before the login."
    ) { input in
      guard let v4 = input.facts.families.first(where: { $0.family == .v4 })?.result,
        let v6 = input.facts.families.first(where: { $0.family == .v6 }), !v6.isFamilyUnavailable,
        v4.verdict == .captivePortal
      else { return .notApplicable }
      return .unless(
        v6.result.sets.flatMap(\.probes).filter {
          $0.outcome == .accepted && $0.response?.isFromThisMachine != true
        }
        .map { "\($0.url.escapedForDisplay): passes over IPv6" },
        "IPv6 passes before the login")
    },
    PortalCheck(
      "garden.leaks", .error, nil, .beforeLogin, "RFC 8952 §2.4",
      requires: "No traffic reaches other servers before the login",
      harm: "Users get around the login, for instance by a tunnel through this port or protocol.",
      fix:
        "Block all traffic before the login except DHCP, the network's own DNS server, and the portal; let the "
        + "DNS server answer only what the login needs."
    ) { input in
      let tried = input.facts.bypassAttempts.filter { $0.hasPassed != nil }
      guard !input.facts.bypassAttempts.isEmpty else { return .notApplicable }
      guard !tried.isEmpty else { return .unknown("this machine could not send the probes") }
      return .unless(
        tried.filter { $0.hasPassed == true }.map { "\($0.url): passes" }, "Traffic gets around the portal")
    },
  ]

  /// The checks of messages for clients that log in automatically.
  static let wispr: [PortalCheck] = [
    PortalCheck(
      "wispr.form", .warning, nil, .beforeLogin, "WISPr 1.0 appendix D",
      requires: "A WISPr message has a message type, and a login URL with https",
      harm: "Clients with saved credentials cannot log in automatically; some show no login page either.",
      fix: "Send MessageType 100, ResponseCode 0 and an https LoginURL, or no WISPr message."
    ) { input in
      let bodies = input.facts.intercepted.map { ($0.url, WISPrMessage.messages(in: $0.response.body.span)) }
      guard bodies.contains(where: { !$0.1.isEmpty }) else { return .notApplicable }
      return .unless(
        bodies.flatMap { url, messages in messages.compactMap { $0.mistake.map { (url, $0) } } }.asDetails,
        "The WISPr message is not well-formed")
    }
  ]

  /// The checks of what operating systems show.
  static let engines: [PortalCheck] = [
    PortalCheck(
      "engine.silent", .error, nil, .beforeLogin, "ProbeKit's profiles",
      requires: "Every system finds the portal",
      harm: "Users of these systems see no login page, unless they open a browser at an unencrypted URL.",
      fix: "Fix the problem in its line; another finding may be the cause."
    ) { input in
      guard input.facts.loginURL != nil, !input.facts.isOpen else { return .notApplicable }
      return .unless(
        input.facts.engines.map(EngineReaction.init).filter { $0.looksForPortals && !$0.showsLogin }.map {
          "\($0.system): \($0.shows)"
        },
        "Some systems show no login page")
    }
  ]

  static let afterLogin: [PortalCheck] = [
    PortalCheck(
      "after.https", .error, nil, .afterLogin, "RFC 8952 §2.4",
      requires: "HTTPS works after the login",
      harm: "Users who have logged in cannot open web sites.",
      fix: "Let all traffic of the client through, and end every interception for it."
    ) { input in
      guard !input.encrypted.isEmpty else { return .notApplicable }
      return .unless(
        input.encrypted.filter { $0.outcome != .accepted }.map(\.failureDescription),
        "HTTPS does not work after the login")
    },
    PortalCheck(
      "after.endpoints", .error, nil, .afterLogin, "Android NetworkMonitor, Apple CNA, Windows NCSI",
      dated: "2026-11-21",
      requires: "The servers that systems probe can be reached after the login",
      harm: "These systems keep showing the login page, or leave the network.",
      fix: "Do not intercept or filter these hosts for clients that are logged in."
    ) { input in
      .unless(
        // A verdict from the API alone is the finding of another check.
        input.facts.engines.filter { $0.result.portal?.source != .capport }.map(EngineReaction.init)
          .filter { $0.verdict != .online }.map { "\($0.system): \($0.shows)" },
        "Some systems do not find the network open after the login")
    },
  ]

  /// The checks of settings on this machine that hide the portal; a guest's phone may have the same settings.
  static let machine: [PortalCheck] = [
    PortalCheck(
      "machine.tunnel", .warning, nil, .always, "settings of this machine",
      requires: "The default route is not a tunnel",
      harm:
        "Requests do not pass the gateway of this network, or wait for the tunnel, and no login page appears.",
      fix: "Disconnect the VPN until the login is done."
    ) { input in
      let machine = input.facts.machine
      guard let tunnel = machine.tunnel else { return .met }
      return .unmet(
        "The default route of this machine is a tunnel",
        [tunnel + (machine.tunnelKind.map { " (\($0))" } ?? "")])
    },
    PortalCheck(
      "machine.resolvers", .warning, nil, .always, "settings of this machine",
      requires: "Names are resolved by the DNS server of the network",
      harm: "Names of the portal do not resolve, or nothing resolves before the login.",
      fix: "Unless the network announced them, use its own DNS server until the login is done."
    ) { input in
      .unless(
        input.facts.machine.foreignResolvers.map(\.description),
        "This machine uses public DNS servers")
    },
    PortalCheck(
      "machine.encryptedDNS", .warning, nil, .always, "settings of this machine",
      requires: "DNS is not encrypted before the login",
      harm: "Nothing resolves before the login, or only after a fallback.",
      fix: "Turn encrypted DNS off until the login is done."
    ) { input in
      let machine = input.facts.machine
      return .unless(
        (machine.encryptedDNS.map { [$0] } ?? []) + machine.browserDNS, "This machine uses encrypted DNS")
    },
    PortalCheck(
      "machine.httpsOnly", .warning, nil, .always, "settings of this machine; Chrome 154",
      dated: "2026-11-28",
      requires: "Browsers open unencrypted pages",
      harm:
        "The browser upgrades the request to HTTPS, and the portal cannot respond. Since Chrome 154, that is the default "
        + "for public names.",
      fix: "Open the login URL itself, or allow unencrypted pages until the login is done."
    ) { input in
      .unless(input.facts.machine.httpsOnly, "Browsers of this machine use HTTPS only")
    },
    PortalCheck(
      "machine.proxies", .warning, nil, .always, "settings of this machine",
      requires: "No proxy is set",
      harm: "Programs connect to the proxy, which is not reachable before the login.",
      fix: "Unset the proxy until the login is done."
    ) { input in
      .unless(input.facts.machine.proxies, "Programs of this machine use a proxy")
    },
  ]
}

extension WISPrMessage {
  /// The error in the message; nil if there is none.
  fileprivate var mistake: String? {
    guard messageType != nil else { return "no MessageType" }
    guard messageType == .redirect else { return nil }
    guard let text = loginURL, !text.isEmpty else { return "no LoginURL" }
    guard let url = try? ProbeURL(text) else { return "LoginURL \(Excerpt(text)) is not a URL" }
    return url.scheme == .https ? nil : "LoginURL \(url.string) is not encrypted"
  }
}
