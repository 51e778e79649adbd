public import ProbeCore

/// Replaces private data in a capture by placeholders of the same length.
///
/// Each private value has one placeholder, which is the same everywhere in the capture.
///
/// Private data are hardware addresses, the client's addresses, e-mail addresses, and tokens: anything that
/// grants access or identifies a person or device. Data that a replay needs is kept: host names, gateway
/// addresses, page texts.
///
/// A placeholder is derived from a counter, never from the value, and cannot be a real address: it is from RFC
/// 7042 §2.1.2 for hardware addresses, from RFC 5737, RFC 1122, RFC 1112 and RFC 3849 for IP addresses, and
/// from RFC 2606 for e-mail. The placeholder for a token keeps the class of every character. All are recognized
/// as placeholders, so a second redaction does not change them.
///
/// The secrets of the requests are removed before anything else, wherever a response contains them; see
/// `Redactor`.
public struct CaptureRedaction: Sendable {
  /// A redaction that changes nothing.
  public static let none = CaptureRedaction()

  /// The replaced values, in the order in which they were first found.
  public private(set) var replacements: [Replacement] = []
  /// Remarks on data that could not be replaced, one sentence each.
  public private(set) var remarks: [String] = []

  /// The placeholder of each value.
  private(set) var placeholders: [PrivateValue: [UInt8]] = [:]
  /// The numbers of IPv6 placeholders, from which their other notations are made.
  private(set) var numbers: [PrivateValue: Int] = [:]
  /// The values to search for at all positions.
  private(set) var known = KnownForms([])
  /// Whether it was created from exchanges, even if they contain nothing private.
  private var hasLearnt = false

  /// Removes the secrets that the requests contain, or nil.
  let secrets: Redactor?

  private init(_ secrets: Redactor? = nil) { self.secrets = secrets }

  /// Creates a redaction that replaces only the secrets of the requests.
  public init(ofSecretsAlone secrets: Redactor, in exchanges: [RecordedExchange]) {
    self.init(secrets)
    remarks = exchanges.compactMap { withoutSecrets($0).remark }
  }

  /// Creates a redaction of all private data in the exchanges of a capture.
  ///
  /// - Parameters:
  ///   - exchanges: All exchanges in order; what is recognized in one is replaced in all.
  ///   - secrets: Removes the secrets that the requests contain; nil if there are none.
  public init(learningFrom exchanges: [RecordedExchange], secrets: Redactor? = nil) {
    self.init(secrets)
    hasLearnt = true
    var learner = PrivateValueLearner()
    var lost: [String] = []
    for exchange in exchanges {
      let (exchange, remark) = withoutSecrets(exchange)
      learner.learn(from: exchange)
      if let remark { lost.append(remark) }
    }
    var makers = Placeholders()
    for bytes in learner.reserved { makers.reserve(bytes) }
    var forms: [KnownForm] = []
    let values = learner.privateValues
    for value in values {
      let placeholder = makers.placeholder(for: value.value)
      placeholders[value.value] = placeholder
      forms += KnownForm.all(of: value.value, placeholder: placeholder)
    }
    numbers = makers.numbers
    known = KnownForms(forms)
    replacements = values.map { value in
      Replacement(
        kind: value.value.kind, placeholder: placeholders[value.value, default: []].text,
        location: redacted(value.location))
    }
    remarks = (lost + learner.remarks).map(redacted)
  }

  /// Replaces every private value in a text, such as a URL.
  public func redacted(_ text: String) -> String {
    let plain = Array(text.utf8)
    let masked = secrets?.maskedWithData(plain)
    guard !placeholders.isEmpty || masked != nil else { return text }
    let bytes = masked ?? plain
    return redacted(WireText.Part(bytes: bytes, start: 0, isForm: true)).text
  }

  /// Replaces every private value in an exchange: in the URL and in the bytes sent and received.
  ///
  /// The client's own address is removed.
  public func redacted(_ exchange: RecordedExchange) -> RecordedExchange {
    let exchange = withoutSecrets(exchange).exchange
    guard hasLearnt else { return exchange }
    var redacted = exchange
    redacted.url = self.redacted(exchange.url)
    redacted.wire?.localAddress = nil
    if let wire = exchange.wire {
      redacted.wire?.sent = self.redacted(wire.sent, isRequest: true)
      redacted.wire?.received = self.redacted(wire.received, isRequest: false)
    }
    if let detail = exchange.failure?.detail { redacted.failure?.detail = self.redacted(detail) }
    if let remote = exchange.remoteAddress,
      let placeholder = placeholders[InternetAddresses.value(of: remote.address)],
      let address = IPAddress(placeholder.text)
    {
      redacted.remoteAddress = SocketAddress(address, port: remote.port)
    }
    return redacted
  }
}

extension CaptureRedaction {
  /// Removes the secrets of the request from an exchange; the remark describes lost content.
  private func withoutSecrets(_ exchange: RecordedExchange) -> (exchange: RecordedExchange, remark: String?) {
    guard let secrets else { return (exchange, nil) }
    var masked = exchange
    var remark: String?
    // The same replacement as in the field that redirected there.
    if let url = secrets.maskedWithData(Array(exchange.url.string.utf8)) {
      masked.url = (try? ProbeURL(url.text)) ?? secrets.redacted(exchange.url)
    }
    if let wire = exchange.wire {
      let (sent, received) = (
        self.masked(wire.sent, isRequest: true), self.masked(wire.received, isRequest: false)
      )
      masked.wire?.sent = sent.bytes
      masked.wire?.received = received.bytes
      if sent.hasLostContent || received.hasLostContent {
        remark =
          "A body of \(masked.url) is compressed and may contain a secret of the request: each of its bytes is replaced "
          + "by an x."
      }
    }
    if let detail = exchange.failure?.detail { masked.failure?.detail = secrets.redacted(detail) }
    masked.tls = exchange.tls.map(secrets.redacted)
    return (masked, remark)
  }
}

extension CaptureRedaction {
  /// A private value that was replaced; it does not contain the value itself.
  ///
  /// In JSON the keys are the names of the properties, apart from those of the placeholder and the location.
  public struct Replacement: Hashable, Sendable, Encodable {
    /// The kind of private value.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
      /// A hardware address.
      case mac
      /// An address of the client.
      case clientAddress = "client-address"
      /// A token, a session ID, or another word that grants access or identifies a person or device.
      case token
      /// An e-mail address.
      case email = "e-mail"
    }

    /// The kind.
    public var kind: Kind
    /// The placeholder.
    public var placeholder: String
    /// Where it was recognized, such as `the query field client_mac`.
    public var location: String

    private enum CodingKeys: String, CodingKey {
      case kind
      case placeholder = "standIn"
      case location = "place"
    }
  }
}

/// Searches a text for known values.
struct KnownForms: Sendable {
  private let forms: [KnownForm]
  private let search: EscapedTextSearch

  /// The length of the shortest form, or `Int.max` if there is none; no spelling is shorter than its form.
  let shortest: Int

  /// Creates a search for these forms; of equal ones the first counts.
  init(_ forms: [KnownForm]) {
    self.forms = forms
    shortest = forms.map(\.bytes.count).min() ?? .max
    search = EscapedTextSearch(forms.map(\.bytes))
  }

  /// The matches in a text from left to right, without overlaps; at each position the longest form matches.
  func found(in text: [UInt8]) -> [(range: Range<Int>, form: KnownForm)] {
    let all = search.matches(in: text) { match in
      match.form.map { !forms[$0].isWord || Self.isWord(match.range, of: text) } ?? false
    }
    let sorted = all.sorted {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    }
    var last = 0
    return sorted.compactMap { match in
      guard match.range.lowerBound >= last, let form = match.form else { return nil }
      last = match.range.upperBound
      return (match.range, forms[form])
    }
  }

  /// Whether neither a letter nor a digit is adjacent, except those of an escape.
  private static func isWord(_ range: Range<Int>, of text: [UInt8]) -> Bool {
    if range.upperBound < text.count, text[range.upperBound].isWord { return false }
    guard let before = text[..<range.lowerBound].last, before.isWord else { return true }
    return TextEscapes.endsInEscape(text[..<range.lowerBound])
  }
}

/// A form of a known value to search for in all texts and spellings.
struct KnownForm: Sendable {
  let bytes: [UInt8]
  /// The placeholder, with the same number of bytes.
  let placeholder: [UInt8]
  /// Whether it matches only as a separate word; long values match anywhere.
  let isWord: Bool

  private static let maximumLength = 1024

  /// The forms of a value, or none if it could occur by chance.
  static func all(of value: PrivateValue, placeholder: [UInt8]) -> [KnownForm] {
    switch value.kind {
    case .mac: return cases(of: value.bytes, placeholder, isWord: true)
    case .token where isDistinctive(value.bytes):
      return cases(of: value.bytes, placeholder, isWord: value.bytes.count < 16)
    // Addresses are found by their syntax.
    case .token, .email, .clientAddress: return []
    }
  }

  /// The value and, if it is hexadecimal, the same in capitals.
  private static func cases(of value: [UInt8], _ placeholder: [UInt8], isWord: Bool) -> [KnownForm] {
    let form = KnownForm(bytes: value, placeholder: placeholder, isWord: isWord)
    guard OpaqueWord.isHexadecimal(value) else { return [form] }
    return [
      form,
      KnownForm(
        bytes: value.map(\.asciiUppercased), placeholder: placeholder.map(\.asciiUppercased), isWord: isWord),
    ]
  }

  /// Whether a token is unlikely to occur by chance.
  private static func isDistinctive(_ token: [UInt8]) -> Bool {
    guard token.count >= 6, token.count <= maximumLength, !OpaqueWord.isWord(token) else { return false }
    let hasLetters = token.contains { $0.isWord && !$0.isASCIIDigit }
    return token.count >= 8 || hasLetters && token.contains(where: \.isASCIIDigit)
  }
}
