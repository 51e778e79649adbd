internal import ProbeCore

/// A value of a text that has a name, or a place in a URL.
struct NamedField {
  /// Where a value stands.
  enum Context: String {
    case query = "the query field"
    case pathParameter = "the path parameter"
    case cookie = "the cookie"
    case header = "the header field"
    case input = "the form field"
    case element = "the element"
    case member = "the member"
    case path = "a path"
    case words = "the words"
  }

  /// The name; empty where there is none.
  var name: [UInt8]
  /// Where the value stands.
  var value: Range<Int>
  /// Where it stands.
  var context: Context

  /// The place, such as `the query field client_mac`.
  var place: String { name.isEmpty ? context.rawValue : "\(context.rawValue) \(name.text)" }
}

extension NamedField {
  /// What is private in the value, or nil.
  ///
  /// - Parameter text: The text it stands in.
  /// - Returns: What is private.
  func finding(in text: [UInt8]) -> PrivateFinding? {
    let spelled = SpelledText(value, of: text).bytes
    let sense = FieldName.sense(of: name)
    switch sense {
    case .hardwareAddress:
      // With separators it is found without a name.
      if spelled.count == 12, spelled.allSatisfy({ $0.hexDigitValue != nil }) {
        return HardwareAddresses.finding(value, spelled.lowercased, place: place)
      }
    case .clientAddress:
      if var finding = InternetAddresses.finding(value, in: text, place: place) {
        finding.isPrivate = true
        return finding
      }
    case .token, .password, nil: break
    }
    guard OpaqueWord.isPlain(text[value]), isToken(spelled, sense) else { return nil }
    let bytes = OpaqueWord.isHexadecimal(spelled) ? spelled.lowercased : spelled
    return PrivateFinding(
      range: value, value: PrivateValue(kind: .token, bytes: bytes), place: place,
      isPrivate: !TokenShape.isStandIn(spelled))
  }

  private func isToken(_ value: [UInt8], _ sense: FieldName.Sense?) -> Bool {
    guard OpaqueWord.canBeToken(value) else { return false }
    switch (context, sense) {
    case (.cookie, _): return true
    // Some gateways send addresses encrypted.
    case (_, .hardwareAddress), (_, .clientAddress):
      return value.count >= 12
        && (OpaqueWord.isHexadecimal(value) || !OpaqueWord.isReadable(value.filter(\.isWord)))
    case (.query, .password), (.input, .password), (.pathParameter, .password): return true
    case (.element, .token) where name.lowercased == Array("code".utf8): return false
    case (_, .token), (_, .password): return !OpaqueWord.isWord(value)
    case (.query, _), (.input, _), (.path, _), (.pathParameter, _): return OpaqueWord.isLong(value)
    // Such as the number of a request, by which a server's log tells who it was.
    case (.header, _): return FieldName.words(of: name).last == "id" && OpaqueWord.isLong(value)
    case (.element, _), (.member, _), (.words, _): return false
    }
  }
}
