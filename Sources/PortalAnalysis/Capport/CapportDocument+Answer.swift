import FoundationEssentials
public import ProbeCore

/// Reading what an API answered.
extension CapportDocument {
  /// The media type of an API's answer (RFC 8908 §4).
  public static let mediaType = "application/captive+json"

  /// What an answer says.
  ///
  /// Only `captive` is required. Keys that are unknown or of another type are passed over, and so are URLs that cannot be
  /// used: the page to log in at must be one of https, the one on the place may be of http too (RFC 8908 §5).
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
    let fields: Fields
    do {
      fields = try JSONDecoder().decode(Fields.self, from: Data(answer.body))
    } catch {
      throw InvalidInput("expected a JSON object with the boolean \"captive\", found \(Excerpt(answer.body))")
    }
    func page(_ text: String?, _ schemes: Set<URLScheme>) -> ProbeURL? {
      // An empty reference would lead back to the API itself.
      guard let text, !text.isEmpty, let page = answer.url.resolve(text) else { return nil }
      return schemes.contains(page.scheme) ? page : nil
    }
    self.init(
      captive: fields.captive, userPortalURL: page(fields.userPortalURL, [.https]),
      venueInfoURL: page(fields.venueInfoURL, [.https, .http]), canExtendSession: fields.canExtendSession,
      timeRemaining: fields.secondsRemaining.map { .seconds($0) }, bytesRemaining: fields.bytesRemaining)
  }
}

/// The keys of RFC 8908 §5.
private struct Fields: Decodable {
  private enum Key: String, CodingKey {
    case captive
    case userPortalURL = "user-portal-url"
    case venueInfoURL = "venue-info-url"
    case canExtendSession = "can-extend-session"
    case secondsRemaining = "seconds-remaining"
    case bytesRemaining = "bytes-remaining"
  }

  let captive: Bool
  let userPortalURL: String?
  let venueInfoURL: String?
  let canExtendSession: Bool?
  let secondsRemaining: Int?
  let bytesRemaining: Int?

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    captive = try container.decode(Bool.self, forKey: .captive)
    userPortalURL = try? container.decode(String.self, forKey: .userPortalURL)
    venueInfoURL = try? container.decode(String.self, forKey: .venueInfoURL)
    canExtendSession = try? container.decode(Bool.self, forKey: .canExtendSession)
    secondsRemaining = Self.amount(container, .secondsRemaining)
    bytesRemaining = Self.amount(container, .bytesRemaining)
  }

  private static func amount(_ container: KeyedDecodingContainer<Key>, _ key: Key) -> Int? {
    (try? container.decode(Int.self, forKey: key)).flatMap { $0 >= 0 ? $0 : nil }
  }
}
