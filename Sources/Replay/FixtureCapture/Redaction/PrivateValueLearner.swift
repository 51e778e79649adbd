internal import ProbeCore

/// Collects the private values in the exchanges of a capture, and the similar values that must be kept.
struct PrivateValueLearner {
  /// A private value, and where it was first found.
  struct Learnt {
    let value: PrivateValue
    let location: String
  }

  /// The maximum number of values; a capture of a portal does not have more.
  static let limit = 20_000

  private var learnt: [Learnt] = []
  private var seen: Set<PrivateValue> = []
  /// The values that a replay needs: the hosts of URLs, and the addresses of servers.
  private var needed: Set<PrivateValue> = []
  /// This machine's own addresses on its connections.
  private var own: Set<PrivateValue> = []
  /// Placeholders that occur in the texts already, and must not be assigned to another value.
  private(set) var reserved: Set<[UInt8]> = []
  /// Remarks on data that cannot be replaced, one sentence each.
  private(set) var remarks: [String] = []

  /// The private values, in the order in which they were found.
  var privateValues: [Learnt] {
    learnt.filter { own.contains($0.value) || !needed.contains($0.value) }
  }

  mutating func learn(from exchange: RecordedExchange) {
    if let address = exchange.remoteAddress?.address {
      needed.insert(InternetAddresses.value(of: address))
      reserved.insert(InternetAddresses.value(of: address).bytes)
    }
    // A cookie may contain the host it is from.
    needed.insert(PrivateValue(kind: .token, bytes: Array(exchange.url.host.utf8)))
    if let address = exchange.wire?.localAddress, !InternetAddresses.isPublic(address) {
      let value = InternetAddresses.value(of: address)
      own.insert(value)
      keep(value, at: "this machine's address on the connection")
    }
    let url = Array(exchange.url.string.utf8)
    learn(WireText.Part(bytes: url, start: 0))
    if let wire = exchange.wire {
      learn(wire.sent, isRequest: true, of: exchange.url)
      learn(wire.received, isRequest: false, of: exchange.url)
    }
    if let failure = exchange.failure { learn(WireText.Part(bytes: Array(failure.detail.utf8), start: 0)) }
  }

  private mutating func learn(_ wire: [UInt8], isRequest: Bool, of url: ProbeURL) {
    let texts = WireText(wire, isRequest: isRequest)
    for part in texts.parts where !part.isMedia { learn(part) }
    for (data, _) in texts.packed {
      let coding = data.coding.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      if !data.isSearched {
        let part = data.texts.isEmpty ? "" : ", except for a part of it"
        remarks.append("The content of \(url) is compressed (\(coding)) and was not searched\(part).")
      }
      let values = data.texts.reduce(into: Set()) { $0.formUnion(learn(WireText.Part(bytes: $1, start: 0))) }
      guard !values.isEmpty else { continue }
      remarks.append(
        "The content of \(url) is compressed (\(coding)), so its private values stay: \(Self.counted(values))."
      )
    }
  }

  /// Collects the values in one text.
  ///
  /// - Returns: The private values in it.
  @discardableResult
  private mutating func learn(_ part: WireText.Part) -> Set<PrivateValue> {
    var values: Set<PrivateValue> = []
    for finding in PrivateText.findings(in: part.bytes, head: part.head, isForm: part.isForm) {
      if finding.value.kind == .clientAddress {
        guard let address = IPAddress(finding.value.bytes.text), !InternetAddresses.isPublic(address) else {
          reserved.insert(finding.value.bytes)
          continue
        }
        if InternetAddresses.isHost(finding.range, in: part.bytes) { needed.insert(finding.value) }
        if own.contains(finding.value) { values.insert(finding.value) }
      }
      guard finding.isPrivate else {
        reserved.insert(finding.value.bytes)
        continue
      }
      values.insert(finding.value)
      keep(finding.value, at: finding.location)
    }
    return values
  }

  private mutating func keep(_ value: PrivateValue, at location: String) {
    guard learnt.count < Self.limit else {
      if learnt.count == Self.limit, remarks.last != Self.tooMany { remarks.append(Self.tooMany) }
      return
    }
    if seen.insert(value).inserted { learnt.append(Learnt(value: value, location: location)) }
  }

  private static let tooMany =
    "There are more than \(limit) private values, and only the first \(limit) are replaced."

  /// A count by kind, such as `1 hardware address, 2 tokens`.
  private static func counted(_ values: Set<PrivateValue>) -> String {
    CaptureRedaction.Replacement.Kind.allCases.compactMap { kind -> String? in
      let count = values.count { $0.kind == kind }
      guard count > 0 else { return nil }
      return count == 1 ? "1 \(kind.words.one)" : "\(count) \(kind.words.several)"
    }.joined(separator: ", ")
  }
}

extension CaptureRedaction.Replacement.Kind {
  /// The singular and plural of its name.
  var words: (one: String, several: String) {
    switch self {
    case .mac: ("hardware address", "hardware addresses")
    case .clientAddress: ("client address", "client addresses")
    case .token: ("token", "tokens")
    case .email: ("e-mail address", "e-mail addresses")
    }
  }
}
