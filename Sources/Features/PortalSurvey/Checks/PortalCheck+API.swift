import PortalAnalysis
import ProbeCore
import ProbeJSON
import ProbePipeline

extension PortalCheck {
  /// The captive-portal API (RFC 8908).
  static let api: [PortalCheck] = [
    api(
      "api.certificate", .error, .must, "RFC 8908 §4.1",
      requires: "The API has a certificate that clients trust, for the announced host name",
      harm: "Clients do not use the API.",
      fix: "Install a certificate of a public authority for that name, with its intermediate certificates."
    ) { api in
      guard api.exchange.url.scheme == .https else { return .notApplicable }
      guard let failure = api.failure else { return .met }
      // Without a handshake, there is no certificate.
      guard failure.reason.isForeignTLS else { return .notApplicable }
      return .unmet("The certificate of the API is not valid", [failure.words])
    },
    api(
      "api.encrypted", .error, .must, "RFC 8908 §4",
      requires: "The API does not redirect to http URLs",
      harm: "Clients do not follow the redirect.", fix: "Serve the API over HTTPS alone."
    ) { api in
      guard api.exchange.url.scheme == .https else { return .notApplicable }
      // The target of the redirect need not respond.
      guard let response = api.response ?? api.failure?.partial else { return .notApplicable }
      return .unless(
        response.redirects.compactMap(\.target).filter { $0.scheme != .https }.map(\.string),
        "The API redirects to an unencrypted URL")
    },
    api(
      "api.reachable", .error, .must, "RFC 8908 §4",
      requires: "The API responds to clients that are not logged in",
      harm: "Clients do not use the API.",
      fix: "Let clients resolve the name of the API and connect to it before they log in."
    ) { api in
      guard let failure = api.failure, !failure.reason.isForeignTLS else { return .met }
      return .unmet("The API does not respond", [failure.words])
    },
    document(
      "api.status", .error, .must, "RFC 8908 §5",
      requires: "The API responds with status 200",
      harm: "Clients ignore the response.",
      fix: "Respond with status 200, also to clients that are logged in."
    ) { _, response in
      response.status == 200
        ? .met : .unmet("The API responds with \(response.head?.statusForDisplay ?? "no status")", [])
    },
    document(
      "api.mediaType", .error, .must, "RFC 8908 §5",
      requires: "The API's response has the media type \(CapportDocument.mediaType)",
      harm: "Clients that check the type ignore the response.",
      fix: "Send Content-Type: \(CapportDocument.mediaType)."
    ) { _, response in
      let field = response.head?.fields["Content-Type"] ?? ""
      return response.head.map(CapportDocument.mediaType(in:)) == CapportDocument.mediaType
        ? .met
        : .unmet(
          "The media type of the API's response is \(field.isEmpty ? "missing" : "\(Excerpt(field))")", [])
    },
    document(
      "api.json", .error, .must, "RFC 8908 §5, RFC 8259",
      requires: "The API's response is a JSON object",
      harm: "Clients ignore the response.", fix: "Send a JSON object, in which no name occurs twice."
    ) { api, _ in
      api.mistake.map { .unmet("The API's response is not a JSON object", [$0]) } ?? .met
    },
    member(
      "api.captive", .error, .must, "RFC 8908 §5",
      requires: "The API states captive, true or false",
      harm: "Clients ignore the response.", fix: "Send \"captive\": true or \"captive\": false."
    ) { fields in
      guard let value = fields["captive"] else {
        return .unmet("The API's response has no captive", [fields.text.escapedForDisplay])
      }
      return value.bool == nil
        ? .unmet("The API's captive is not a boolean", ["captive: \(value.text.escapedForDisplay)"]) : .met
    },
    PortalCheck(
      "api.truthful", .error, .must, .always, "RFC 8908 §5",
      requires: "The API states captive: true before the login and captive: false after it",
      harm: "Clients show no login page, or show one again after the login.",
      fix:
        "Identify the client as the gateway does, by the same addresses, and report its state; if the API cannot, "
        + "announce a URL for each client."
    ) { input in
      guard let isCaptive = input.api?.isCaptive else { return .notApplicable }
      if isCaptive, input.facts.isOpen {
        return .unmet("The API states captive: true, and the network is open", input.api?.evidence ?? [])
      }
      if !isCaptive, !input.facts.isOpen, input.facts.loginURL != nil,
        input.facts.probeKitRun.verdict == .captivePortal || input.isIntercepted
      {
        return .unmet(
          "The API states captive: false, and the network requires a login", input.api?.evidence ?? [])
      }
      return .met
    },
    PortalCheck(
      "api.loginURL", .error, nil, .beforeLogin, "RFC 8908 §5",
      requires: "The API states user-portal-url while the client is captive",
      harm: "Clients know that there is a portal, but not where.",
      fix: "Send the https URL of the login page as user-portal-url."
    ) { input in
      guard let api = input.api, let fields = api.fields, api.isCaptive == true else { return .notApplicable }
      guard let value = fields["user-portal-url"] else {
        return .unmet("The API names no login page", api.evidence)
      }
      guard let text = value.string, let url = api.response?.url.resolve(text), !text.isEmpty else {
        return .unmet(
          "The API's user-portal-url is not a URL", ["user-portal-url: \(value.text.escapedForDisplay)"])
      }
      return [.https, .http].contains(url.scheme)
        ? .met : .unmet("The API's user-portal-url is not a web page", [url.string])
    },
    member(
      "api.loginURLEncrypted", .error, .must, "RFC 8908 §5",
      requires: "The URL in user-portal-url is an https URL",
      harm: "Clients may refuse to open the login page.",
      fix: "Serve the login page over HTTPS, and send that URL."
    ) { fields in
      guard let text = fields["user-portal-url"]?.string, let url = try? ProbeURL(text) else {
        return .notApplicable
      }
      return url.scheme == .http ? .unmet("The API's user-portal-url is unencrypted", [url.string]) : .met
    },
    member(
      "api.remaining", .error, .must, "RFC 8908 §5; Android's CaptivePortalDataUtils", dated: "2026-11-30",
      requires: "What remains of a session is a number",
      harm: "Android ignores the whole response, and with it the login page.",
      fix: "Send seconds-remaining and bytes-remaining as whole numbers, or omit them; null is not a number."
    ) { fields in
      .unless(
        remainingNames.compactMap { name in
          guard let value = fields[name], !value.isNumberForAndroid else { return nil }
          return "\(name): \(value.text.escapedForDisplay)"
        }, "What remains of a session is not a number")
    },
    member(
      "api.types", .error, .must, "RFC 8908 §5",
      requires: "The members of the API's response have the types of the standard",
      harm: "Clients ignore the member, or the whole response.",
      fix: "Send URLs as strings, can-extend-session as a boolean, and what remains as whole numbers."
    ) { fields in
      var wrong: [String] = []
      func check(_ name: String, _ type: String, _ isRight: (JSONValue) -> Bool) {
        guard let value = fields[name], !isRight(value) else { return }
        wrong.append("\(name) is not \(type): \(value.text.escapedForDisplay)")
      }
      check("venue-info-url", "a string") { $0.string != nil }
      check("can-extend-session", "a boolean") { $0.bool != nil }
      // What is no number at all is the finding of another check.
      for name in remainingNames where fields[name]?.isNumberForAndroid == true {
        check(name, "a whole number of 0 or more") {
          $0.number.map { $0.isWhole && $0.order(to: JSONNumber(0)) >= 0 } ?? false
        }
      }
      return .unless(wrong, "Members of the API's response have the wrong type")
    },
    document(
      "api.private", .warning, .should, "RFC 8908 §5",
      requires: "The API's response forbids shared caches",
      harm: "A cache may give one client the state of another.",
      fix: "Send Cache-Control: private, or no-store."
    ) { _, response in
      let directives = response.cacheDirectives
      return directives.contains("private") || directives.contains("no-store")
        ? .met
        : .unmet(
          "The API's response may be stored by shared caches",
          [
            "Cache-Control: \(directives.isEmpty ? "none" : directives.joined(separator: ", ").escapedForDisplay)"
          ])
    },
    document(
      "api.perClient", .error, .should, "RFC 8908 §4, §5",
      requires: "Each client gets a response of its own from the API",
      harm: "Clients get the state of another client.",
      fix: "Serve the API without a cache, and without public or s-maxage in Cache-Control."
    ) { _, response in
      var signs = response.cacheDirectives.filter { $0 == "public" || $0.hasPrefix("s-maxage") }.map {
        "Cache-Control: \($0.escapedForDisplay)"
      }
      if let age = response.head?.fields["Age"], age != "0" { signs.append("Age: \(Excerpt(age))") }
      return .unless(signs, "The API's response is shared between clients")
    },
    api(
      "api.port", .warning, .should, "RFC 8908 §4",
      requires: "The API uses the default port of HTTPS",
      harm: "Firewalls on clients may not allow other ports.", fix: "Serve the API on port 443."
    ) { api in
      guard api.exchange.url.scheme == .https, let port = api.exchange.url.port else { return .notApplicable }
      return port == 443 ? .met : .unmet("The API uses port \(port)", [])
    },
    member(
      "api.venueURL", .warning, .should, "RFC 8908 §5",
      requires: "The URL in venue-info-url is an https URL",
      harm: "Clients may refuse to open the page.", fix: "Serve that page over HTTPS."
    ) { fields in
      guard let text = fields["venue-info-url"]?.string else { return .notApplicable }
      return (try? ProbeURL(text))?.scheme == .https
        ? .met : .unmet("The API's venue-info-url is not an https URL", ["venue-info-url: \(Excerpt(text))"])
    },
    member(
      "api.remainingWhileCaptive", .warning, .should, "RFC 8908 §5",
      requires: "The API does not state what remains of a session while the client is captive",
      harm: "Clients may show the time of a session that has not begun.",
      fix: "Omit seconds-remaining and bytes-remaining while captive is true."
    ) { fields in
      let remaining = remainingNames.filter { fields[$0] != nil }
      guard fields["captive"]?.bool == true else { return .notApplicable }
      return .unless(remaining, "The API states what remains of a session that has not begun")
    },
    PortalCheck(
      "api.countsDown", .warning, .must, .always, "RFC 8908 §5",
      requires: "The seconds and bytes that remain of a session count down",
      harm: "Clients do not warn in time before the session ends.",
      fix: "Compute both at each request."
    ) { input in
      guard let api = input.api, let first = api.fields, first["captive"]?.bool == false else {
        return .notApplicable
      }
      let names = remainingNames.filter { first[$0]?.number?.isWhole == true }
      guard !names.isEmpty else { return .notApplicable }
      guard let later = api.exchange.later,
        let second = APIFields(APIExchange(url: api.exchange.url, response: .success(later))).fields
      else { return .unknown("the API did not respond a second time") }
      let wrong = names.compactMap { name -> String? in
        guard let before = first[name]?.number, let after = second[name]?.number, after.isWhole else {
          return nil
        }
        let order = after.order(to: before)
        // Without traffic, the bytes may stay the same, but never rise. After a second, the time is less.
        let isRight =
          name == "seconds-remaining" && api.exchange.interval >= .seconds(1)
          ? order < 0 : order <= 0
        return isRight ? nil : "\(name): \(before.text.prefix(40)), later \(after.text.prefix(40))"
      }
      return .unless(wrong, "What remains of the session does not count down")
    },
    member(
      "api.customTabs", .advice, nil, "source.android.com, Android custom tabs for captive portals",
      dated: "2026-11-28",
      requires: "The API lets Android open the login page in the browser of the user",
      harm:
        "Android 12 and later open the login page in a window without the user's passwords and payments. With a VPN or a "
        + "private DNS setting, that window may stay empty.",
      fix:
        "Send \"x-android-use-custom-tabs\": \(customTabsValue), if the page works in a browser: then the rules of the "
        + "browser apply to it, such as those for requests to private addresses."
    ) { fields in
      guard fields["captive"]?.bool == true else { return .notApplicable }
      guard let value = fields["x-android-use-custom-tabs"] else {
        return .unmet("The API does not offer to open the login page in the browser (Android)", [])
      }
      guard value.number.map({ $0.text == customTabsValue }) ?? (value.string == customTabsValue) else {
        return .unmet(
          "The API's x-android-use-custom-tabs is not the documented value",
          ["x-android-use-custom-tabs: \(value.text.escapedForDisplay)"], .warning)
      }
      return .met
    },
  ]

  /// The members that state what remains of a session.
  private static let remainingNames = ["seconds-remaining", "bytes-remaining"]

  /// The value that Android documents: a version of its module CaptivePortalLogin.
  private static let customTabsValue = "361335020"
}

extension JSONValue {
  /// Whether Android reads a number here: org.json also converts a text that is one.
  fileprivate var isNumberForAndroid: Bool {
    number != nil || string.map { Double($0) != nil } ?? false
  }
}

extension PortalCheck {
  private static func api(
    _ id: String, _ severity: Severity, _ level: Level?, _ reference: String, dated: String? = nil,
    requires: String, harm: String, fix: String, _ examine: @escaping @Sendable (APIFields) -> Examination
  ) -> PortalCheck {
    PortalCheck(
      id, severity, level, .always, reference, dated: dated, requires: requires, harm: harm, fix: fix
    ) { input in input.api.map(examine) ?? .notApplicable }
  }

  /// A check of the response.
  private static func document(
    _ id: String, _ severity: Severity, _ level: Level?, _ reference: String, requires: String, harm: String,
    fix: String, _ examine: @escaping @Sendable (APIFields, ProbeResponse) -> Examination
  ) -> PortalCheck {
    api(id, severity, level, reference, requires: requires, harm: harm, fix: fix) { api in
      api.response.map { examine(api, $0) } ?? .notApplicable
    }
  }

  /// A check of the members of the response.
  private static func member(
    _ id: String, _ severity: Severity, _ level: Level?, _ reference: String, dated: String? = nil,
    requires: String, harm: String, fix: String, _ examine: @escaping @Sendable (JSONValue) -> Examination
  ) -> PortalCheck {
    api(id, severity, level, reference, dated: dated, requires: requires, harm: harm, fix: fix) { api in
      api.fields.map(examine) ?? .notApplicable
    }
  }
}
