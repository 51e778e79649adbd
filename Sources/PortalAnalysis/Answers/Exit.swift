import ProbeCore

/// A reference of a response to another URL.
struct Exit {
  /// How the reference is followed.
  enum Manner: String {
    /// A Location field.
    case redirect
    /// A refresh of the page or its head.
    case refresh
    /// A script that runs when the page loads.
    case script
    /// A script that runs when something is pressed.
    case press
    case form
    case frame
    case link

    /// Whether it is followed without the user.
    var isAutomatic: Bool { [.redirect, .refresh, .script].contains(self) }
  }

  let manner: Manner
  let url: ProbeURL
  /// Whether it is on a host other than the requested one.
  let isOffHost: Bool
  let facts: URLFacts
  /// Whether the text of the reference has words of a login.
  var isNamedLogin = false
}
