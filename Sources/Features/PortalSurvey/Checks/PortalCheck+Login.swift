import PortalAnalysis
import ProbeCore
import ProbePipeline

/// The login page.
extension PortalCheck {
  static let login: [PortalCheck] = [
    PortalCheck(
      "login.found", .error, nil, .beforeLogin, "RFC 8952 §2.3",
      requires: "The response in place of a server has the login URL",
      harm: "No system can show a login page.",
      fix:
        "If the network has a portal, respond with status 302 and the login URL in Location; do not depend on "
        + "scripts."
    ) { input in
      guard input.isIntercepted else { return .notApplicable }
      guard input.facts.loginURL == nil else { return .met }
      return .unmet(
        "The network responds in place of servers, without a login",
        input.facts.intercepted.map { ($0.url, $0.analysis.kind.words) }.asDetails)
    },
    page(
      "login.certificate", .error, .must, "RFC 8908 §5, RFC 9110 §4.3.4",
      requires: "The login page has a certificate that clients trust, for the host of its URL",
      harm: "Users get a certificate warning; login sheets stay empty.",
      fix: "Install a certificate of a public authority for that name, with its intermediate certificates."
    ) { page in
      guard case .failure(let failure) = page.response else {
        return page.visited.contains { $0.scheme == .https } ? .met : .notApplicable
      }
      // Without a handshake, there is no certificate.
      guard failure.reason.isForeignTLS else { return .notApplicable }
      return .unmet("The certificate of the login page is not valid", [page.url.string, failure.words])
    },
    page(
      "login.redirectLoop", .error, nil, "WHATWG Fetch, HTTP-redirect fetch",
      requires: "The login URL does not redirect to itself",
      harm: "Browsers show an error in place of the login page.",
      fix: "Show the page also to clients that send no cookies, as login sheets do at first."
    ) { page in
      guard case .failure(let failure) = page.response, failure.reason == .tooManyRedirects else {
        return .met
      }
      return .unmet("The login URL redirects in a loop or too often", [page.url.string, failure.words])
    },
    page(
      "login.reachable", .error, nil, "RFC 8952 §2.3",
      requires: "The login page responds to clients that are not logged in",
      harm: "Users see an empty page or an error in place of the login page.",
      fix: "Let clients resolve the name of the login page and connect to it before they log in."
    ) { page in
      guard case .failure(let failure) = page.response, !failure.reason.isForeignTLS,
        failure.reason != .tooManyRedirects
      else { return .met }
      // By the rule for following, a page elsewhere in private networks is not requested.
      if failure.reason == .addressRefused { return .unknown(failure.detail) }
      return .unmet("The login page does not respond", [page.url.string, failure.words])
    },
    page(
      "login.status", .error, nil, "RFC 9110 §15",
      requires: "The login page has a status below 400",
      harm: "Users see an error in place of the login page.", fix: "Respond with status 200."
    ) { page in
      guard let status = page.received?.status else { return .notApplicable }
      return status < 400
        ? .met
        : .unmet(
          "The login page is an error", [page.url.string, page.received?.head?.statusForDisplay ?? ""])
    },
    page(
      "login.localNetwork", .error, nil, "Local Network Access: Chrome 142, Firefox 152",
      dated: "2026-11-28",
      requires: "A login page on a public address requests nothing from private addresses",
      harm:
        "Browsers ask the user for permission first, and fail the request if the user denies it or the page is not "
        + "encrypted.",
      fix:
        "Open a page of the gateway in place of the request, by a link, a redirect, or a form to an https URL of its "
        + "own name: navigation needs no permission. Or let the page ask its own server for the state."
    ) { page in
      guard page.received != nil, page.hasPublicAddress else { return .notApplicable }
      let local = page.requests.filter { $0.isLocal == true }
      guard local.isEmpty else {
        return .unmet(
          "The login page requests data from private addresses", local.map(\.words).withoutRepetitions(10))
      }
      let unknown = page.requests.filter { $0.isLocal == nil && $0.url.host != page.received?.url.host }
      guard let first = unknown.first, page.isLiveNetwork else { return .met }
      return .unknown("the address of \(first.url.host.escapedForDisplay) was not found")
    },
    page(
      "login.mixed", .error, nil, "W3C Mixed Content",
      requires: "A login page over HTTPS uses only HTTPS",
      harm: "Browsers block its scripts and style sheets, and warn about its forms.",
      fix: "Serve what the page loads over HTTPS, and send its forms to https URLs."
    ) { page in
      guard let response = page.received, response.url.scheme == .https else { return .notApplicable }
      let references = PageReferences(ofPage: response, inBrowser: true)
      // Those of private addresses are the finding of another check.
      let plain =
        references.references.map(\.url).filter { $0.scheme == .http && $0.address?.isLocal != true }
        .map { "loads \($0.string)" }
        + references.forms.map(\.target).filter { $0.scheme == .http }.map { "sends a form to \($0.string)" }
      return .unless(plain.withoutRepetitions(10), "The encrypted login page uses unencrypted URLs")
    },
    page(
      "login.encrypted", .error, nil, "RFC 8908 §7.1; Chrome 154 warns before pages without HTTPS",
      dated: "2026-11-28",
      requires: "The login page uses HTTPS",
      harm:
        "Anyone in range can read what the user enters. Chrome warns before it opens such a page, except in its own "
        + "login tab, unless the host is a private address or a local name.",
      fix:
        "Serve the login page over HTTPS, under a host name with a public certificate, and redirect to its URL in place "
        + "of sending the page itself."
    ) { page in
      guard let response = page.received, let kind = page.analysis?.kind, kind.role == .portal else {
        return .notApplicable
      }
      guard response.url.scheme != .https else { return .met }
      let url = response.url
      let isExempt = url.hasNonUniqueHost
      // Without a warning of the browser, only what users enter is at risk.
      guard !isExempt || [.login, .voucher, .payment].contains(kind) else { return .met }
      return .unmet("The login page is not encrypted", [url.string], isExempt ? .warning : nil)
    },
    PortalCheck(
      "login.twoStages", .warning, nil, .beforeLogin, "tailscale/tailscale#4978", dated: "2026-11-28",
      requires: "One login opens the network",
      harm: "Systems close the login sheet after the first login, and treat the network as broken.",
      fix: "Put both steps on pages of the same portal, and open the network after the last one."
    ) { input in
      guard let earlier = input.earlier?.loginURL, let url = input.facts.loginURL else {
        return .notApplicable
      }
      return .unmet("The network requires a second login", ["first \(earlier.string)", "then \(url.string)"])
    },
    page(
      "login.recognized", .warning, nil, "ProbeKit's analysis of pages",
      requires: "The page at the login URL is recognizable as a login page",
      harm: "Password managers and login sheets do not help the user.",
      fix: "Use a form with labels, in the page itself and not only by scripts."
    ) { page in
      guard let analysis = page.analysis, page.received?.status.map({ $0 < 400 }) ?? false else {
        return .notApplicable
      }
      return analysis.kind.role == .portal
        ? .met : .unmet("The page at the login URL looks like \(analysis.kind.words)", [page.url.string])
    },
    page(
      "login.size", .warning, nil, "Android NetworkMonitor, login sheets", dated: "2026-11-21",
      requires: "The login page has at most 128 KiB",
      harm: "The page appears late where many clients share a weak signal.",
      fix: "Leave out what the login does not need."
    ) { page in
      guard let response = page.received else { return .notApplicable }
      let limit = ProbeRequest.maximumBodyAfterRedirect / 1024
      let size = response.bodyIsCut ? "more than \(limit)" : "\(response.body.count / 1024)"
      return response.bodyIsCut || response.body.count > 128 * 1024
        ? .unmet("The login page is large", ["\(response.url.string): \(size) KiB"]) : .met
    },
    page(
      "login.outside", .warning, nil, "RFC 8952 §2.3",
      requires: "The login page loads nothing from other hosts",
      harm:
        "Those hosts are not reachable before the login, unless the walled garden lets them pass for everyone.",
      fix: "Serve fonts, scripts and images from the host of the page."
    ) { page in
      guard let response = page.received else { return .notApplicable }
      let hosts = PageReferences(ofPage: response, inBrowser: true).references.map(\.url)
        .filter { $0.host != response.url.host && $0.host != page.url.host }
        .map { "\($0.host): \($0.string)" }
      return .unless(hosts.withoutRepetitions(10), "The login page loads files from other hosts")
    },
    PortalCheck(
      "login.hardwareAddress", .advice, nil, .beforeLogin,
      "support.apple.com/102509, private Wi-Fi addresses",
      dated: "2026-11-30",
      requires: "The login does not depend on the hardware address of the client",
      harm:
        "iPhones change their address in open networks, by default about every two weeks: a login that the portal "
        + "remembers by the address is lost, and a device counts several times.",
      fix:
        "Remember guests by a cookie, an account or a voucher, and let a session end before the address changes; "
        + "describe how a guest logs in again."
    ) { input in
      guard let url = input.facts.loginURL, url.namesHardwareAddress else { return .notApplicable }
      return .unmet("The login URL has the hardware address of the client", [url.string])
    },
  ]

  private static func page(
    _ id: String, _ severity: Severity, _ level: Level?, _ reference: String, dated: String? = nil,
    requires: String, harm: String, fix: String, _ examine: @escaping @Sendable (FetchedPage) -> Examination
  ) -> PortalCheck {
    PortalCheck(
      id, severity, level, .beforeLogin, reference, dated: dated, requires: requires, harm: harm, fix: fix
    ) { input in
      input.facts.login.map(examine) ?? .notApplicable
    }
  }
}

extension FetchedPage {
  /// The page, if there is one.
  var received: ProbeResponse? { try? response.get() }

  /// The URLs of the request and of its redirects.
  fileprivate var visited: [ProbeURL] { [url] + (received?.redirects.compactMap(\.target) ?? []) }
}

extension [String] {
  /// The texts, each once, up to a number.
  func withoutRepetitions(_ limit: Int) -> [String] {
    var seen: Set<String> = []
    return Array(filter { seen.insert($0).inserted }.prefix(limit))
  }
}

/// What browsers call a local network (the specification Local Network Access, "IP address space").
extension FetchedPage {
  /// Whether the page is on a public address.
  ///
  /// Where the address is not known, as in a replay without DNS, the name decides.
  var hasPublicAddress: Bool {
    guard let response = received else { return false }
    if let address = response.remoteAddress?.address ?? response.url.address { return !address.isLocal }
    return !response.url.isLocal
  }
}

extension PageRequest {
  /// Whether it goes to a local network; nil if the addresses of its host are not known.
  ///
  /// A name in the domain `.local` is resolved in the local network only (RFC 6762 §3).
  var isLocal: Bool? {
    if url.host.hasSuffix(".local") || addresses.contains(where: \.isLocal) { return true }
    return addresses.isEmpty ? nil : false
  }

  var words: String {
    let address = url.address == nil ? addresses.first(where: \.isLocal).map { ", which is \($0)" } ?? "" : ""
    return switch purpose {
    case .file: "loads \(url.string)\(address)"
    case .frame: "frames \(url.string)\(address)"
    case .script: "requests \(url.string)\(address)"
    case .socket: "opens ws\(url.string.dropFirst(4))\(address)"
    }
  }
}

extension IPAddress {
  /// Whether browsers count the address as local or as this machine; an IPv4 address in an IPv6 one counts as itself.
  var isLocal: Bool {
    Self.localBlocks.contains { $0.contains(self) } || embeddedV4.contains { $0.isLocal }
  }

  private static let localBlocks = [
    ("10.0.0.0", 8), ("100.64.0.0", 10), ("127.0.0.0", 8), ("169.254.0.0", 16), ("172.16.0.0", 12),
    ("192.168.0.0", 16), ("198.18.0.0", 15), ("::1", 128), ("fc00::", 7), ("fe80::", 10),
  ].compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }

  /// The networks for documentation, which some gateways use for themselves (RFC 5737).
  private static let documentationBlocks = [
    ("192.0.2.0", 24), ("198.51.100.0", 24), ("203.0.113.0", 24), ("2001:db8::", 32),
  ].compactMap { text, length in IPAddress(text).map { AddressBlock($0, prefixLength: length) } }

  /// Whether it is reserved, so that no authority issues a certificate for it.
  fileprivate var isReserved: Bool {
    isLocal || isSpecialPurpose || Self.documentationBlocks.contains { $0.contains(self) }
  }
}

extension ProbeURL {
  /// Whether the host is no unique name of the Internet, as Chromium counts: a reserved address, a name without a dot, or
  /// one of a local domain (`net::IsHostnameNonUnique`).
  var hasNonUniqueHost: Bool {
    if let address { return address.isReserved }
    return isLocal
  }
}

/// Hardware addresses in URLs, such as `00-00-5E-00-53-42`.
extension ProbeURL {
  /// The names of fields with the address of an access point or another device, and with what only looks like one.
  private static let otherDevices: Set<Substring> = [
    "ap", "apmac", "bssid", "called", "gw", "gwmac", "nas", "node", "ssid", "switch", "wlan", "hmac",
  ]
  /// The names of fields with the address of the client.
  private static let clients: Set<Substring> = [
    "mac", "cmac", "client", "clientmac", "macaddr", "macaddress", "sta", "stamac", "usermac", "umac", "cid",
    "id",
    "calling", "device", "devicemac",
  ]

  /// Whether its path or a field of its query has the hardware address of the client, as far as names of fields show.
  var namesHardwareAddress: Bool {
    for field in (query ?? "").split(separator: "&") {
      let halves = field.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let name = halves[0].lowercased()
      let words = name.split { !$0.isLetter }
      guard Self.otherDevices.isDisjoint(with: words) else { continue }
      let isNamed = !Self.clients.isDisjoint(with: words)
      if Self.isHardwareAddress(halves[1].withoutEscapes, needsSeparators: !isNamed || words == ["id"]) {
        return true
      }
    }
    return path.split(separator: "/").contains {
      Self.isHardwareAddress($0.withoutEscapes, needsSeparators: true)
    }
  }

  /// Whether a text is an address in one of its forms: six pairs of digits, three groups of four, or twelve digits.
  private static func isHardwareAddress(_ text: String, needsSeparators: Bool) -> Bool {
    let sizes: [(separator: Character, count: Int, size: Int)] = [(":", 6, 2), ("-", 6, 2), (".", 3, 4)]
    for (separator, count, size) in sizes {
      let groups = text.split(separator: separator, omittingEmptySubsequences: false)
      guard groups.count == count, groups.allSatisfy({ $0.count == size && $0.allSatisfy(\.isHexDigit) })
      else {
        continue
      }
      // A time such as 26-11-30-12-05-09 has decimal digits only, and so has one address of three hundred.
      return text.contains { $0.isHexDigit && $0.isLetter }
    }
    return !needsSeparators && text.count == 12 && text.allSatisfy(\.isHexDigit)
      && text.contains(where: \.isLetter)
  }
}

extension Substring {
  /// The text in lower case with the escapes of separators decoded, but not those of digits: an encoder has no reason
  /// to write these.
  fileprivate var withoutEscapes: String {
    var text = lowercased()
    for (escape, separator) in [("%3a", ":"), ("%2d", "-"), ("%2e", ".")] {
      text = text.split(separator: escape, omittingEmptySubsequences: false).joined(separator: separator)
    }
    return text
  }
}
