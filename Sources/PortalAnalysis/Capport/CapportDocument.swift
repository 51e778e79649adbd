internal import ProbeJansson
public import ProbeCore

/// What the API of a captive portal says of this client (RFC 8908 §5).
public struct CapportDocument: Hashable, Sendable {
  /// Whether this client has to log in.
  public var captive: Bool
  /// The page to open for logging in.
  public var userPortalURL: ProbeURL?
  /// A page on the place one is at.
  public var venueInfoURL: ProbeURL?
  /// Whether the portal's page can prolong the session.
  public var canExtendSession: Bool?
  /// How long the client is let through still, or nil when there is no end or none is told.
  public var timeRemaining: Duration?
  /// How many bytes the client may still move, or nil when there is no limit or none is told.
  public var bytesRemaining: Int?

  /// What an API says.
  public init(
    captive: Bool, userPortalURL: ProbeURL? = nil, venueInfoURL: ProbeURL? = nil,
    canExtendSession: Bool? = nil, timeRemaining: Duration? = nil, bytesRemaining: Int? = nil
  ) {
    self.captive = captive
    self.userPortalURL = userPortalURL
    self.venueInfoURL = venueInfoURL
    self.canExtendSession = canExtendSession
    self.timeRemaining = timeRemaining
    self.bytesRemaining = bytesRemaining
  }
}

/// Reading what an API answered.
extension CapportDocument {
  /// The media type of an API's answer (RFC 8908 §4).
  public static let mediaType = "application/captive+json"

  /// What an answer says.
  ///
  /// Only `captive` is required. Keys that are unknown or of another type are passed over, and so are URLs that cannot be
  /// used: the page to log in at must be one of https, the one on the place may be of http too (RFC 8908 §5). The whole
  /// answer must be JSON, and no key may stand in it twice: two clients would make two things of it (RFC 8259 §4).
  ///
  /// - Throws: `InvalidInput` for an answer that is not an API's.
  public init(_ answer: ProbeResponse) throws(InvalidInput) {
    guard let head = answer.head, head.status == 200 else {
      let found = answer.head.map(\.statusForDisplay) ?? "no HTTP"
      throw InvalidInput("expected the status 200, found \(found)")
    }
    let type = (head.fields["Content-Type"] ?? "").prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
    // Some APIs give the general type of JSON.
    guard [Self.mediaType, "application/json"].contains(type.lowercased()) else {
      throw InvalidInput("expected the media type \(Self.mediaType), found \(Excerpt(type))")
    }
    guard !answer.bodyIsCut else { throw InvalidInput("the answer is too large for one of an API") }
    let fields: JSONValue
    do throws(JSONError) {
      fields = try Self.parser.value(of: answer.body)
    } catch {
      throw InvalidInput("the answer is not the JSON of RFC 8259: \(error.description.escapedForDisplay)")
    }
    guard let captive = fields["captive"]?.bool else {
      throw InvalidInput("expected a JSON object with the boolean \"captive\", found \(Excerpt(answer.body))")
    }
    func page(_ text: String?, _ schemes: Set<URLScheme>) -> ProbeURL? {
      // An empty reference would lead back to the API itself.
      guard let text, !text.isEmpty, let page = answer.url.resolve(text) else { return nil }
      return schemes.contains(page.scheme) ? page : nil
    }
    func amount(_ name: String) -> Int? {
      fields[name]?.wholeNumber.flatMap { $0 >= 0 ? $0 : nil }
    }
    self.init(
      captive: captive, userPortalURL: page(fields["user-portal-url"]?.string, [.https]),
      venueInfoURL: page(fields["venue-info-url"]?.string, [.https, .http]),
      canExtendSession: fields["can-extend-session"]?.bool,
      timeRemaining: amount("seconds-remaining").map { .seconds($0) },
      bytesRemaining: amount("bytes-remaining"))
  }

  /// What an API says takes some hundred bytes, and has one level of its own.
  private static let parser = JSONParser(maximumLength: 64 << 10, maximumDepth: 32)
}
