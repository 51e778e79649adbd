internal import ProbeBase
package import ProbeCore

/// The cookies of one probe: those that a redirect sets are sent with the requests that follow it.
///
/// Each attempt begins without cookies, because a cookie can bind a client to the server that has just failed.
package final class ProbeCookies: CookieKeeper {
  private struct State {
    var jar = CookieJar()
    var sent: Set<String> = []
  }

  private let state = Guarded(State())

  /// The cookies of a probe with this request; nil if it follows no redirects, or keeps none.
  package init?(for request: ProbeRequest) {
    guard request.redirects > 0, request.keepsCookies, !request.url.scheme.missingParts.contains(.http)
    else {
      return nil
    }
  }

  /// The maximum number of values, beyond what one attempt sends.
  private static let maximumSecrets = 2 * CookieJar.capacity

  /// The values that were sent, which the server may repeat.
  var secrets: [Secret] {
    state.withLock(\.sent).sorted().map { Secret($0) }
  }

  package func field(for url: ProbeURL) -> String? {
    state.withLock { state in
      guard let field = state.jar.field(for: url) else { return nil }
      if state.sent.count < Self.maximumSecrets { state.sent.formUnion(state.jar.secretValues) }
      return field
    }
  }

  package func keep(_ fields: HeaderFields, from url: ProbeURL) {
    state.withLock { $0.jar.keep(fields, from: url) }
  }

  package func begin() {
    state.withLock { $0.jar = CookieJar() }
  }
}

extension ProbeRequest {
  /// The cookie values that this probe has sent.
  var sentCookies: [Secret] { (cookies as? ProbeCookies)?.secrets ?? [] }
}

/// The cookies of several requests, as a browser keeps them for a session.
package final class SessionCookies: CookieKeeper {
  private let jar = Guarded(CookieJar())

  package init() {}

  /// The value of the Cookie field for a URL; nil for none.
  package func field(for url: ProbeURL) -> String? {
    let jar = jar.withLock(\.self)
    return jar.field(for: url)
  }

  package func keep(_ fields: HeaderFields, from url: ProbeURL) {
    jar.withLock { $0.keep(fields, from: url) }
  }
}
