import ProbeCore

extension Sign {
  /// The signs of the status, the header fields and the messages of gateways.
  static let ofHeads: [Sign] = [
    Sign("head.451", "status 451 means that the content is unavailable for legal reasons", .blockPage) {
      Sighting(if: $0.status == 451)
    },
    Sign("head.407", "status 407 means that a proxy requires authentication", .proxyAuth) {
      Sighting(if: $0.status == 407)
    },
    Sign("head.401", "status 401 means that a server requires authentication", .serverAuth) {
      Sighting(if: $0.status == 401)
    },
    Sign("head.403", "the status is 403", .blockPage) { Sighting(if: $0.status == 403) },
    Sign("head.4xx", "the status is $", .errorPage) { facts in
      Sighting(
        if: (400..<500).contains(facts.status) && ![401, 403, 407, 451].contains(facts.status),
        "\(facts.status)")
    },
    // An error of the login host is no evidence against the portal that redirected there.
    Sign("head.5xx", "status $ means a server error", .outage) { facts in
      Sighting(
        if: facts.status >= 500 && facts.status != 511 && !facts.isRedirectedOffHost, "\(facts.status)")
    },
    Sign("head.link", "the Link field names a login page") { Sighting(if: $0.namesLogin) },
    Sign("message.reason", "the status line says %") { facts in
      let reason = (facts.response.head?.reasonPhrase ?? "").utf8.prefix(200)
      let words = IdentifierWords.tally(Array(reason).span)
      return Sighting(words[.network])
    },
    Sign("message.wispr", "it has the WISPr message of an access gateway ($)") { facts in
      facts.wispr.first { !$0.isLoginRedirect }.map { message in
        let reported = [message.messageType?.description, message.responseCode?.description]
          .compactMap(\.self)
        return Sighting(reported.isEmpty ? "without a type or a code" : reported.joined(separator: ", "))
      }
    },
  ]
}

extension ResponseFacts {
  /// Whether a redirect, a refresh or a script goes to another host.
  var isRedirectedOffHost: Bool {
    exits.automatic.contains { $0.isOffHost && $0.facts.blockPage == nil }
  }
}
