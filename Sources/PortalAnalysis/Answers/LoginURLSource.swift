/// Where the address of a login page was found.
///
/// The raw values are part of the format of reports. They stand in the order of their weight: what is said in the
/// protocol itself comes before what is read out of a page, and that before a mere guess.
public enum LoginURLSource: String, Hashable, Sendable, Codable, CaseIterable {
  /// The Location header field of a redirect or of a 511 answer.
  case location
  /// The API of RFC 8908.
  case capport
  /// A WISPr message.
  case wispr
  /// The body of a 511 answer (RFC 6585 §6).
  case body511
  /// A `<meta http-equiv="refresh">` of a page.
  case metaRefresh
  /// A script of a page that leads elsewhere.
  case javascript
  /// A form of a page.
  case form
  /// A link of a page.
  case link
  /// The probed URL itself: opening it shows what the portal wants to show.
  case probeURL
}

extension LoginURLSource: Comparable {
  /// What weighs more stands in front.
  public static func < (left: LoginURLSource, right: LoginURLSource) -> Bool { left.rank < right.rank }

  /// The place in the order of weight, the weightiest first.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
}
