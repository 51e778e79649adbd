import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline

extension PortalCheckInput {
  /// Whether the network responds to unencrypted probes instead of their servers.
  var isIntercepted: Bool { !facts.intercepted.isEmpty }
}

/// The checks of unencrypted requests before the login.
extension PortalCheck {
  static let http: [PortalCheck] = [
    PortalCheck(
      "dns.resolves", .error, nil, .beforeLogin, "RFC 8952 §2.4",
      requires: "Host names resolve before the login",
      harm: "A system that cannot resolve the name that it probes shows no login page.",
      fix: "Let clients query the DNS server of the network before they log in."
    ) { input in
      .unless(
        input.plain.filter { $0.failed(with: .lookup) }.map(\.failureDescription),
        "Names that systems probe do not resolve")
    },
    PortalCheck(
      "http.answered", .error, nil, .beforeLogin, "RFC 8952 §2.4",
      requires: "Unencrypted requests get a response before the login",
      harm: "Systems that do not use the API find no portal and show no login page.",
      fix:
        "If the network has a portal, accept connections to port 80 of any address, and redirect to the login page."
    ) { input in
      if input.isIntercepted || input.plain.contains(where: { $0.outcome == .accepted }) { return .met }
      let failures = input.plain.filter { !$0.failed(with: .lookup) }
      // Without an address, there is no request.
      guard !failures.isEmpty else { return .notApplicable }
      return .unmet("No unencrypted request gets a response", failures.map(\.failureDescription))
    },
    PortalCheck(
      "http.everyHost", .error, nil, .beforeLogin, "Android NetworkMonitor, Apple CNA, Windows NCSI",
      dated: "2026-11-21",
      requires: "Unencrypted requests get a response whatever the host",
      harm: "A system whose probe gets no response shows no login page.",
      fix: "Intercept port 80 of every address, without a list of hosts."
    ) { input in
      guard input.isIntercepted else { return .notApplicable }
      return .unless(
        input.plain.filter { $0.outcome == .failed && !$0.hasResponse && !$0.failed(with: .lookup) }
          .map(\.failureDescription),
        "Some unencrypted requests get no response")
    },
    response(
      "http.status", .error, nil, "Android NetworkMonitor, Apple CNA, Windows NCSI",
      dated: "2026-11-21",
      requires: "Unencrypted requests get a redirect (302, 303 or 307) or a page with status 200",
      harm: "Some systems treat another status as a broken network: Android and Windows show no login page.",
      fix: "Respond with status 302 and the login URL in Location.",
      finding: "Unencrypted requests get a status that some systems do not take for a portal"
    ) { probe, _ in
      guard let head = probe.response.head, ![200, 301, 302, 303, 307, 308].contains(head.status) else {
        return nil
      }
      return head.statusForDisplay
    },
    response(
      "http.redirectTarget", .error, .must, "RFC 9110 §10.2.2",
      requires: "A redirect has one Location, which is an http or https URL",
      harm: "Browsers show an error in place of the login page.",
      fix: "Send one Location field with the complete login URL.",
      finding: "The redirect has no usable target"
    ) { probe, _ in
      guard let hop = RedirectHop(of: probe.response.head, from: probe.response.url) else { return nil }
      guard let location = hop.location, !location.isEmpty else { return "the redirect has no Location" }
      return hop.problem
    },
    response(
      "http.redirectLocal", .error, nil, "RFC 6890 §2.2",
      requires: "The login URL is not an address of the client or of its link",
      harm: "Clients connect to themselves, and refuse the redirect.",
      fix: "Use an address of the gateway that is routed, or a host name for it.",
      finding: "The network redirects clients to themselves or to their link"
    ) { probe, _ in probe.analysis.refusedPortal?.loginURL.string },
    response(
      "http.redirectPermanent", .error, nil, "RFC 9110 §15.4.2, RFC 9111 §4",
      requires: "The redirect is not stored by caches",
      harm:
        "Browsers store a permanent redirect and open the login page in place of the site, even after the login "
        + "and in other networks.",
      fix: "Send status 302, 303 or 307, and Cache-Control: no-store.",
      finding: "The redirect is permanent, and caches store it"
    ) { probe, _ in
      let response = probe.response
      guard let head = response.head, [301, 308].contains(head.status), !response.forbidsReuse else {
        return nil
      }
      return head.statusForDisplay + (response.cacheDirectives.isEmpty ? ", no Cache-Control" : "")
    },
    response(
      "http.admitted", .error, nil, "RFC 8952 §2.5",
      requires: "The gateway lets a client through that the portal considers logged in",
      harm: "The user cannot log in, and has no access.",
      fix: "Keep the sessions of the portal and the gateway in step.",
      finding: "The portal considers this client logged in, and does not let it through"
    ) { probe, _ in probe.analysis.kind == .loggedIn ? probe.analysis.kind.words : nil },
    response(
      "http.cacheable", .warning, nil, "RFC 9111 §4.2",
      requires: "Responses in place of the servers forbid caching",
      harm: "Browsers show the portal's page in place of the site after the login.",
      fix: "Send Cache-Control: no-store with every response in place of a server.",
      finding: "Caches may store the response in place of the server"
    ) { probe, time in probe.response.freshness(at: time) },
    response(
      "http.syntax", .warning, .must, "RFC 9112",
      requires: "Responses in place of the servers are valid HTTP",
      harm: "Some clients refuse the response.", fix: "Use an HTTP server that follows RFC 9112.",
      finding: "The response in place of the server is not valid HTTP"
    ) { probe, _ in
      let deviations = probe.response.deviations
      return deviations.isEmpty ? nil : deviations.map(\.description).joined(separator: ", ")
    },
    PortalCheck(
      "dns.forged", .warning, .must, .beforeLogin, "RFC 8952 §1; Android NetworkMonitor",
      dated: "2026-11-28",
      requires: "The DNS server of the network gives the real addresses of names",
      harm: "Clients keep the forged address after the login, DNSSEC and encrypted DNS fail, and HTTPS shows "
        + "certificate warnings. Android phones whose maker turned on the guard against forged addresses show no "
        + "notification.",
      fix: "Give the real addresses, and redirect connections to port 80 by the packet filter of the gateway."
    ) { input in
      let forged = input.plain.filter { probe in
        guard let response = probe.response, !probe.isRouted, probe.outcome != .accepted else { return false }
        // After a redirect that the profile follows, the address is that of the portal.
        return response.remoteAddress?.address.isSpecialPurpose == true && response.redirects.count < 2
          && (try? ProbeURL(probe.url))?.host == response.url.host && response.url.address == nil
          && !response.url.isLocal
      }
      guard input.isIntercepted else { return .notApplicable }
      guard !forged.isEmpty else { return .met }
      // An engine that refuses such an address shows no login page.
      let isSevere = input.facts.engines.contains { engine in
        !EngineReaction(engine).showsLogin
          && engine.result.sets.flatMap(\.probes).contains { $0.reason == .androidPrivateAddress }
      }
      return .unmet(
        "Public names resolve to addresses of the network",
        forged.map { ($0.url, $0.response?.remoteAddress?.address.description ?? "") }.asDetails,
        isSevere ? .error : nil)
    },
    PortalCheck(
      "dns.timeToLive", .warning, nil, .beforeLogin, "RFC 1035 §3.2.1",
      requires: "Forged addresses have a time to live of at most 60 s",
      harm: "Clients connect to the portal in place of the site after the login.",
      fix: "Send a time to live of 0 or a few seconds with forged addresses."
    ) { input in
      // An address of this machine is the DNS answer of a filter, which may be here.
      let forged = input.facts.lookups.filter { lookup in
        lookup.addresses.contains { $0.isSpecialPurpose && $0.reach != .machine }
      }
      guard !forged.isEmpty else { return .notApplicable }
      return .unless(
        forged.filter { $0.timeToLive > .seconds(60) }.map {
          "\($0.name): \($0.addresses.map(\.description).joined(separator: ", ")), "
            + "\($0.timeToLive.components.seconds) s"
        }, "Clients keep forged addresses for long")
    },
  ]

  /// The checks of encrypted requests before the login.
  static let https: [PortalCheck] = [
    PortalCheck(
      "https.intercepted", .error, nil, .beforeLogin, "RFC 6797 §12.1",
      requires: "The network does not respond to encrypted requests in place of their servers",
      harm:
        "Users get certificate warnings in place of the login page, and cannot continue to sites with HSTS.",
      fix: "Reject connections to port 443 with a TCP reset before the login, and redirect only port 80."
    ) { input in
      guard !input.encrypted.isEmpty else { return .notApplicable }
      return .unless(
        input.encrypted.filter { $0.reason?.isForeignTLS ?? false }.map(\.failureDescription),
        "The network responds to HTTPS in place of the servers")
    },
    PortalCheck(
      "https.silent", .warning, nil, .beforeLogin, "RFC 9293 §3.5.2",
      requires: "Encrypted connections are refused at once before the login",
      harm: "Apps and system checks wait for a timeout before they conclude that they are offline.",
      fix: "Reject the connections with a TCP reset in place of dropping the packets."
    ) { input in
      guard input.isIntercepted, !input.encrypted.isEmpty else { return .notApplicable }
      let silent = input.encrypted.filter { $0.reason == .connectTimeout || $0.reason == .totalTimeout }
      return .unless(
        silent.map(\.failureDescription),
        silent.count == input.encrypted.count
          ? "Encrypted connections get no response" : "Some encrypted connections get no response")
    },
  ]
}

extension PortalCheck {
  /// A check of each intercepted response; the last closure returns the error in a response at the given time, or nil if
  /// there is none.
  private static func response(
    _ id: String, _ severity: Severity, _ level: Level?, _ reference: String, dated: String? = nil,
    requires: String, harm: String, fix: String, finding: String,
    _ mistake: @escaping @Sendable (InterceptedProbe, Date) -> String?
  ) -> PortalCheck {
    PortalCheck(
      id, severity, level, .beforeLogin, reference, dated: dated, requires: requires, harm: harm, fix: fix
    ) { input in
      guard input.isIntercepted else { return .notApplicable }
      let mistakes = input.facts.intercepted.compactMap { probe in
        mistake(probe, input.facts.time).map { (url: probe.url, fact: $0) }
      }
      return .unless(mistakes.asDetails, finding)
    }
  }
}

extension ProbeResult {
  /// Whether something responded, at least with a redirect.
  fileprivate var hasResponse: Bool { response.map { $0.head != nil || !$0.redirects.isEmpty } ?? false }

  /// The reason for the failure, as a detail.
  var failureDescription: String {
    "\(url.escapedForDisplay): \(reason?.rawValue ?? outcome.rawValue)" + (detail.map { ": \($0)" } ?? "")
  }
}

extension ProbeResponse {
  /// The field that makes caches treat the response as fresh; nil if there is none.
  fileprivate func freshness(at now: Date) -> String? {
    guard !forbidsReuse, let head, ![301, 308].contains(head.status) else { return nil }
    let directives = cacheDirectives.filter {
      $0.hasPrefix("max-age=") || $0.hasPrefix("s-maxage=") || $0 == "public"
    }
    if !directives.isEmpty { return "Cache-Control: \(directives.joined(separator: ", ").escapedForDisplay)" }
    if let expires = head.fields["Expires"], let end = Date(httpDate: expires, now: now),
      end > head.fields["Date"].flatMap({ Date(httpDate: $0, now: now) }) ?? now
    {
      return "Expires: \(Excerpt(expires))"
    }
    // Without an explicit lifetime, caches estimate one from the date of the last change (RFC 9111 §4.2.2).
    if head.status == 200, let modified = head.fields["Last-Modified"] {
      return "Last-Modified: \(Excerpt(modified))"
    }
    return nil
  }
}
