/// Where a login URL was found.
///
/// The raw values are part of the format of reports. The cases are in descending order of weight: information
/// from the protocol itself precedes that from a page, and a mere guess comes last. Within a response, a WISPr
/// message precedes a redirect; of several responses, one that redirects is what a browser follows.
public enum LoginURLSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The API of RFC 8908.
  case capport
  /// The Location header field of a redirect or of a 511 response.
  case location
  /// A WISPr message.
  case wispr
  /// The body of a 511 response (RFC 6585 §6).
  case body511
  /// A `<meta http-equiv="refresh">` of a page.
  case metaRefresh
  /// A script of a page that navigates elsewhere.
  case javascript
  /// A form of a page.
  case form
  /// A link of a page.
  case link
  /// The probed URL itself, or the one that the `decide` rule of an engine gives: opening it shows the portal's page.
  case probeURL
}

extension LoginURLSource: Comparable {
  /// A source with more weight sorts first.
  public static func < (left: LoginURLSource, right: LoginURLSource) -> Bool { left.rank < right.rank }

  /// Whether browsers follow it without the user.
  package var isAutomatic: Bool { [.location, .metaRefresh, .javascript].contains(self) }

  /// The position in the order of weight, the highest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
