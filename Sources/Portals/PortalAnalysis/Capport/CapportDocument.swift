package import ProbeJSON
public import ProbeCore

/// The state of this client according to the API of a captive portal (RFC 8908 §5).
public struct CapportDocument: Hashable, Sendable {
  /// Whether this client has to log in.
  public var captive: Bool
  /// The login URL.
  public var userPortalURL: ProbeURL?
  /// A page with information about the venue.
  public var venueInfoURL: ProbeURL?
  /// Whether the session can be extended on the portal's page.
  public var canExtendSession: Bool?
  /// The remaining time of the session, or nil if it is unlimited or not stated.
  public var timeRemaining: Duration?
  /// The remaining bytes of the session, or nil if they are unlimited or not stated.
  public var bytesRemaining: Int?

  /// Creates the contents of an API's response.
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

/// Parsing the response of an API.
extension CapportDocument {
  /// The media type of an API's response (RFC 8908 §4).
  public static let mediaType = "application/captive+json"

  /// Parses a response.
  ///
  /// Only `captive` is required. Keys that are unknown or of another type are ignored, and so are unusable
  /// URLs: the login URL must use https, the venue page may also use http (RFC 8908 §5). The whole body must
  /// be JSON, and no key may occur twice, because clients would interpret it differently (RFC 8259 §4).
  ///
  /// - Throws: `InvalidInput` for a response that is not an API's.
  public init(_ response: ProbeResponse) throws(InvalidInput) {
    guard let head = response.head, head.status == 200 else {
      let found = response.head.map(\.statusForDisplay) ?? "no HTTP"
      throw InvalidInput("expected the status 200, found \(found)")
    }
    let type = Self.mediaType(in: head)
    // Some APIs send the general media type of JSON.
    guard [Self.mediaType, "application/json"].contains(type) else {
      throw InvalidInput("expected the media type \(Self.mediaType), found \(Excerpt(type))")
    }
    guard !response.bodyIsCut else { throw InvalidInput("the answer is too large for one of an API") }
    let fields: JSONValue
    do throws(JSONError) {
      fields = try Self.parser.value(of: response.body)
    } catch {
      throw InvalidInput("the answer is not the JSON of RFC 8259: \(error.description.escapedForDisplay)")
    }
    guard let captive = fields["captive"]?.bool else {
      let found = Excerpt(response.body)
      throw InvalidInput("expected a JSON object with the boolean \"captive\", found \(found)")
    }
    func page(_ text: String?, _ schemes: Set<URLScheme>) -> ProbeURL? {
      // An empty reference would resolve to the API itself.
      guard let text, !text.isEmpty, let page = response.url.resolve(text) else { return nil }
      return schemes.contains(page.scheme) ? page : nil
    }
    func amount(_ name: String) -> Int? {
      fields[name]?.wholeNumber.flatMap { $0 >= 0 ? ExternalNumber($0).value : nil }
    }
    self.init(
      captive: captive, userPortalURL: page(fields["user-portal-url"]?.string, [.https]),
      venueInfoURL: page(fields["venue-info-url"]?.string, [.https, .http]),
      canExtendSession: fields["can-extend-session"]?.bool,
      timeRemaining: amount("seconds-remaining").map { .seconds($0) },
      bytesRemaining: amount("bytes-remaining"))
  }

  /// The media type of a response in lower case, without its parameters; empty if there is none.
  package static func mediaType(in head: HTTPResponseHead) -> String {
    (head.fields["Content-Type"] ?? "").parts(between: ";")[0].lowercased().replacing([" ": "", "\t": ""])
  }

  /// An API's response has some hundred bytes and one level of nesting.
  package static let parser = JSONParser(maximumLength: 64 << 10, maximumDepth: 32)
}
