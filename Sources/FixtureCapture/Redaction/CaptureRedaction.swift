public import ProbeCore

/// What a capture tells of who was there, and what stands in its place: every private value has one stand-in of the same
/// length, the same everywhere.
///
/// Private are hardware addresses, the client's addresses, e-mail addresses, and tokens: what lets somebody in or tells
/// somebody apart. What a replay needs stays: host names, the addresses of gateways, the words of pages.
///
/// A stand-in comes from a counter, never from the value, and is one that nobody has: of RFC 7042 §2.1.2 for hardware
/// addresses, of RFC 5737, RFC 1122, RFC 1112 and RFC 3849 for addresses, of RFC 2606 for e-mail. A token's keeps the
/// class of every character. All are known again for stand-ins, so what was redacted once stays as it is.
///
/// The secrets of the requests are taken out before anything else, wherever an answer echoes them; see `Redactor`.
public struct CaptureRedaction: Sendable {
  /// A redaction that changes nothing.
  public static let none = CaptureRedaction()

  /// What was replaced, in the order in which it was first met.
  public private(set) var replacements: [Replacement] = []
  /// What could not be replaced, a sentence each.
  public private(set) var remarks: [String] = []

  /// The stand-in of each value.
  private(set) var standIns: [PrivateValue: [UInt8]] = [:]
  /// The numbers of stand-ins for IPv6 addresses, for other spellings of these.
  private(set) var numbers: [PrivateValue: Int] = [:]
  /// The values that are looked for everywhere.
  private(set) var known = KnownForms([])
  /// Whether this is a redaction of something, even if there was nothing private.
  private var hasLearnt = false

  /// What the requests were sent with, or nil.
  let secrets: Redactor?

  private init(_ secrets: Redactor? = nil) { self.secrets = secrets }

  /// A redaction of the secrets that the requests of a capture were sent with, and of nothing else.
  public init(ofSecretsAlone secrets: Redactor, in exchanges: [RecordedExchange]) {
    self.init(secrets)
    remarks = exchanges.compactMap { withoutSecrets($0).remark }
  }

  /// A redaction of everything private in the exchanges of a capture.
  ///
  /// - Parameters:
  ///   - exchanges: All exchanges, in the order in which they were made: what one tells is replaced in all.
  ///   - secrets: What takes out the secrets that their requests were sent with; nil when there were none.
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
    var makers = StandIns()
    for bytes in learner.reserved { makers.reserve(bytes) }
    var forms: [KnownForm] = []
    let values = learner.privateValues
    for value in values {
      let standIn = makers.standIn(for: value.value)
      standIns[value.value] = standIn
      forms += KnownForm.all(of: value.value, standIn: standIn)
    }
    numbers = makers.numbers
    known = KnownForms(forms)
    replacements = values.map { value in
      Replacement(
        kind: value.value.kind, standIn: standIns[value.value, default: []].text, place: redacted(value.place)
      )
    }
    remarks = (lost + learner.remarks).map(redacted)
  }

  /// A text, such as a URL, with every private value replaced.
  public func redacted(_ text: String) -> String {
    let plain = Array(text.utf8)
    let blanked = secrets?.blanked(plain)
    guard !standIns.isEmpty || blanked != nil else { return text }
    let bytes = blanked ?? plain
    return redacted(WireText.Part(bytes: bytes, start: 0, isForm: true)).text
  }

  /// An exchange with every private value replaced, in the URL, in what was sent and in what was received; the client's
  /// own address is left out.
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
      let standIn = standIns[InternetAddresses.value(of: remote.address)],
      let address = IPAddress(standIn.text)
    {
      redacted.remoteAddress = SocketAddress(address, port: remote.port)
    }
    return redacted
  }
}

extension CaptureRedaction {
  /// An exchange without the secrets of its request, and what is to be said of it.
  private func withoutSecrets(_ exchange: RecordedExchange) -> (exchange: RecordedExchange, remark: String?) {
    guard let secrets else { return (exchange, nil) }
    var blanked = exchange
    var remark: String?
    // As in the field that led there.
    if let url = secrets.blanked(Array(exchange.url.string.utf8)) {
      blanked.url = (try? ProbeURL(url.text)) ?? secrets.url(exchange.url)
    }
    if let wire = exchange.wire {
      let (sent, received) = (
        self.blanked(wire.sent, isRequest: true), self.blanked(wire.received, isRequest: false)
      )
      blanked.wire?.sent = sent.bytes
      blanked.wire?.received = received.bytes
      if sent.hasLostContent || received.hasLostContent {
        remark =
          "A content of \(blanked.url) is packed and holds a secret of the request, or may: there is an x for each of "
          + "its bytes."
      }
    }
    if let detail = exchange.failure?.detail { blanked.failure?.detail = secrets.text(detail) }
    blanked.tls = exchange.tls.map(secrets.session)
    return (blanked, remark)
  }
}

extension CaptureRedaction {
  /// A kind of private value that was replaced; never the value itself.
  ///
  /// In JSON the keys are the names of the properties.
  public struct Replacement: Hashable, Sendable, Encodable {
    /// What a value is.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Encodable {
      /// A hardware address.
      case mac
      /// An address of the client.
      case clientAddress = "client-address"
      /// A token, a session id, or another word that lets somebody in or tells somebody apart.
      case token
      /// An e-mail address.
      case email = "e-mail"
    }

    /// What it is.
    public var kind: Kind
    /// What stands in its place.
    public var standIn: String
    /// Where it was recognised, such as `the query field client_mac`.
    public var place: String
  }
}
