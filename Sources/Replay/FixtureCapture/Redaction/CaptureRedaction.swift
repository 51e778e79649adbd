public import ProbeCore

/// Replaces private data in a capture by stand-ins of the same length.
///
/// Each private value has one stand-in, which is the same everywhere in the capture.
///
/// Private data are hardware addresses, the client's addresses, e-mail addresses, and tokens: anything that
/// grants access or identifies a person or device. Data that a replay needs is kept: host names, gateway
/// addresses, page texts.
///
/// A stand-in is derived from a counter, never from the value, and cannot be a real address: it is from RFC
/// 7042 §2.1.2 for hardware addresses, from RFC 5737, RFC 1122, RFC 1112 and RFC 3849 for IP addresses, and
/// from RFC 2606 for e-mail. The stand-in for a token keeps the class of every character. All are recognized
/// as stand-ins, so a second redaction does not change them.
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

  /// The stand-in of each value.
  private(set) var standIns: [PrivateValue: [UInt8]] = [:]
  /// The numbers of IPv6 stand-ins, from which their other notations are made.
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
        kind: value.value.kind, standIn: standIns[value.value, default: []].text,
        location: redacted(value.location))
    }
    remarks = (lost + learner.remarks).map(redacted)
  }

  /// Replaces every private value in a text, such as a URL.
  public func redacted(_ text: String) -> String {
    let plain = Array(text.utf8)
    let blanked = secrets?.blankedWithData(plain)
    guard !standIns.isEmpty || blanked != nil else { return text }
    let bytes = blanked ?? plain
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
      let standIn = standIns[InternetAddresses.value(of: remote.address)],
      let address = IPAddress(standIn.text)
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
    var blanked = exchange
    var remark: String?
    // The same replacement as in the field that redirected there.
    if let url = secrets.blankedWithData(Array(exchange.url.string.utf8)) {
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
          "A body of \(blanked.url) is compressed and may contain a secret of the request: each of its bytes is replaced "
          + "by an x."
      }
    }
    if let detail = exchange.failure?.detail { blanked.failure?.detail = secrets.text(detail) }
    blanked.tls = exchange.tls.map(secrets.session)
    return (blanked, remark)
  }
}

extension CaptureRedaction {
  /// A private value that was replaced; it does not contain the value itself.
  ///
  /// In JSON the keys are the names of the properties, apart from that of the location.
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
    /// The stand-in.
    public var standIn: String
    /// Where it was recognized, such as `the query field client_mac`.
    public var location: String

    private enum CodingKeys: String, CodingKey {
      case kind, standIn
      case location = "place"
    }
  }
}
