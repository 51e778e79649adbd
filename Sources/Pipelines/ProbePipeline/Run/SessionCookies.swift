package import ProbeCore
import ProbeBase

/// The cookies of several requests, as a browser keeps them for a session.
package final class SessionCookies: CookieKeeper {
  private let jar = Guarded(CookieJar())

  /// Creates a session without cookies.
  package init() {}

  /// The value of the Cookie field for a URL; nil for none.
  package func field(for url: ProbeURL) -> String? {
    let jar = jar.withLock(\.self)
    return jar.field(for: url)
  }

  /// Keeps the cookies of a response.
  package func keep(_ fields: HeaderFields, from url: ProbeURL) {
    jar.withLock { $0.keep(fields, from: url) }
  }
}
