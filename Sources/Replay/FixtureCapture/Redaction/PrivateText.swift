internal import ProbeCore

/// Finds private data in one text.
enum PrivateText {
  /// The private values in a text, and those that resemble them.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - head: The parsed lines if the text is a head, or nil.
  ///   - isForm: Whether it may be a submitted form.
  /// - Returns: The findings without overlaps, from left to right.
  static func findings(in text: [UInt8], head: HeaderLines? = nil, isForm: Bool = false) -> [PrivateFinding] {
    let found = findings(asWritten: text, isHead: head != nil, head: head, isForm: isForm)
    let unescaped = escapedFindings(in: text, head: head, isForm: isForm)
    guard !unescaped.isEmpty else { return found }
    // Of equal ranges, a private value counts, and an address rather than a token; and the decoded one if it
    // contains an escape: it has the value that is meant.
    func isDecoded(_ finding: PrivateFinding) -> Bool {
      text[finding.range].contains(where: UnescapedText.isIntroducer)
    }
    let all = unescaped.filter(isDecoded) + found + unescaped.filter { !isDecoded($0) }
    return (0..<4).flatMap { rank in all.filter { $0.rank == rank } }.withoutOverlaps()
  }

  /// How often a text is decoded: `&amp;#58;` is a reference in HTML that is quoted in HTML.
  private static let levels = 2

  /// The findings after decoding the escapes of URLs, HTML, JSON and scripts, with their ranges in the text.
  ///
  /// A decoded text can have a private value where only a part of the value, or of its name, was escaped.
  private static func escapedFindings(
    in text: [UInt8], head: HeaderLines?, isForm: Bool
  ) -> [PrivateFinding] {
    guard text.contains(where: UnescapedText.isIntroducer) else { return [] }
    var all: [PrivateFinding] = []
    var meant = UnescapedText(0..<text.count, of: text)
    var length = text.count
    for _ in 0..<levels where meant.bytes.count < length {
      length = meant.bytes.count
      let ranges = meant.ranges
      all += findings(asWritten: meant.bytes, isHead: head != nil, head: nil, isForm: isForm).compactMap {
        finding in
        guard let first = finding.range.first, let last = finding.range.last else { return nil }
        var finding = finding
        finding.range = ranges[first].lowerBound..<ranges[last].upperBound
        return head.map { outside($0, finding, in: text) } ?? finding
      }
      meant = UnescapedText(decoding: meant)
    }
    return all
  }

  private static func findings(
    asWritten text: [UInt8], isHead: Bool, head: HeaderLines?, isForm: Bool
  ) -> [PrivateFinding] {
    let fields =
      NamedFields.found(in: text, isHead: isHead, isForm: isForm) + URLPaths.found(in: text)
      + (head?.fields ?? [])
    var named = fields.flatMap { $0.findings(in: text) }
    let framing = head?.framing ?? []
    named.removeAll { framing.overlap($0.range) }
    var addresses =
      HardwareAddresses.found(in: text) + MailAddresses.found(in: text) + InternetAddresses.found(in: text)
    let fieldsByRange =
      addresses.isEmpty ? [:] : Dictionary(fields.map { ($0.value, $0) }) { first, _ in first }
    for index in addresses.indices {
      if let field = fieldsByRange[addresses[index].range] { addresses[index].location = field.location }
    }
    if let head { addresses = addresses.compactMap { outside(head, $0, in: text) } }
    addresses = (named.filter { $0.value.kind != .token } + addresses).withoutOverlaps()
    let tokens = named.filter { $0.value.kind == .token }.withoutOverlaps()
    return (addresses + tokens.flatMap { pieces(of: $0, around: addresses, in: text) }).withoutOverlaps()
  }

  /// The part of an address that is not message framing.
  ///
  /// Framing contains no hardware or e-mail address, but the local part of an e-mail address may seem to
  /// start in the status.
  private static func outside(
    _ head: HeaderLines, _ address: PrivateFinding, in text: [UInt8]
  ) -> PrivateFinding? {
    guard head.framing.overlap(address.range) else { return address }
    switch address.value.kind {
    case .email where address.range.lowerBound < head.statusEnd:
      return MailAddresses.found(in: Array(text[head.statusEnd..<address.range.upperBound])).first?.moved(
        by: head.statusEnd)
    case .mac, .email: return address
    case .clientAddress, .token: return nil
    }
  }

  /// Splits a token around the addresses in it, which have their own placeholders.
  private static func pieces(
    of token: PrivateFinding, around addresses: [PrivateFinding], in text: [UInt8]
  ) -> [PrivateFinding] {
    let inside = addresses.overlapping(token.range)
    guard !inside.isEmpty else { return [token] }
    let starts = [token.range.lowerBound] + inside.map(\.range.upperBound)
    let ends = inside.map(\.range.lowerBound) + [token.range.upperBound]
    return zip(starts, ends).compactMap { start, end in
      guard start < end else { return nil }
      let bytes = UnescapedText.bytes(start..<end, of: text)
      guard bytes.count(where: \.isWord) >= 4, !OpaqueWord.isWord(bytes), OpaqueWord.canBeToken(bytes) else {
        return nil
      }
      var piece = token
      piece.range = start..<end
      piece.value = PrivateValue(
        kind: .token, bytes: OpaqueWord.isHexadecimal(bytes) ? bytes.lowercased : bytes)
      piece.isPrivate = !TokenShape.isPlaceholder(bytes)
      return piece
    }
  }
}

extension [PrivateFinding] {
  /// The findings that overlap a range; the list is in the order of the text.
  fileprivate func overlapping(_ range: Range<Int>) -> ArraySlice<PrivateFinding> {
    self[firstIndex(after: range.lowerBound) { $0.range }...].prefix {
      $0.range.lowerBound < range.upperBound
    }
  }
}

extension [Range<Int>] {
  /// Whether one of the ranges, which are in the order of the text and do not overlap each other, overlaps this
  /// one.
  fileprivate func overlap(_ range: Range<Int>) -> Bool {
    self[firstIndex(after: range.lowerBound) { $0 }...].prefix { $0.lowerBound < range.upperBound }
      .contains { $0.overlaps(range) }
  }
}

extension Array {
  /// The index of the first element whose range ends after a position; the ranges are in the order of the text.
  fileprivate func firstIndex(after position: Int, _ range: (Element) -> Range<Int>) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if range(self[middle]).upperBound <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A private value in a normalized form, which is the same for all its spellings.
struct PrivateValue: Hashable, Sendable {
  let kind: CaptureRedaction.Replacement.Kind
  /// A hardware address as twelve lower-case hex digits, an IP address in canonical form, an e-mail address
  /// in lower case, or a token decoded (in lower case if it is hexadecimal).
  let bytes: [UInt8]
}

/// A match in a text that is private, or resembles a private value.
struct PrivateFinding {
  /// The range of the match.
  var range: Range<Int>
  var value: PrivateValue
  /// Where it was recognized.
  var location: String
  /// Whether it is private; if not, it only prevents its text from being part of another match.
  var isPrivate = true

  /// Its rank among findings with the same range: private ones come first, and addresses before tokens.
  fileprivate var rank: Int { (isPrivate ? 0 : 2) + (value.kind == .token ? 1 : 0) }

  /// The same finding with its range moved.
  func moved(by distance: Int) -> PrivateFinding {
    var moved = self
    moved.range = range.moved(by: distance)
    return moved
  }
}

extension [PrivateFinding] {
  /// Removes findings that overlap an earlier one; of those with the same start the longest is kept.
  func withoutOverlaps() -> [PrivateFinding] {
    let isInOrder = zip(self, dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    if isInOrder, !contains(where: { $0.range.isEmpty }) { return self }
    let sorted = enumerated().sorted {
      ($0.element.range.lowerBound, -$0.element.range.count, $0.offset)
        < ($1.element.range.lowerBound, -$1.element.range.count, $1.offset)
    }
    var end = 0
    return sorted.map(\.element).filter { finding in
      guard finding.range.lowerBound >= end, !finding.range.isEmpty else { return false }
      end = finding.range.upperBound
      return true
    }
  }
}

/// Private data in a file that is to be published, such as a fixture.
package struct PrivateData: Hashable, Sendable {
  /// The kind: a hardware address or an e-mail address.
  package var kind: CaptureRedaction.Replacement.Kind
  /// The byte offset in the file; for a match in compressed content, the offset of that content.
  package var offset: Int
  /// Whether it is in compressed content (gzip, deflate).
  package var isPacked: Bool

  /// The hardware addresses and e-mail addresses in a file that may be real.
  ///
  /// Reserved ones are not reported: those for documentation (RFC 7042 §2.1.2, RFC 2606), the broadcast
  /// address, and all zeros. A file that contains a response is parsed as one: its content is dechunked or
  /// decompressed.
  ///
  /// - Parameter file: All bytes of the file.
  /// - Returns: The findings with their offsets, in the order of the file.
  package static func found(in file: [UInt8]) -> [PrivateData] {
    let texts = WireText(file, isRequest: false)
    let plain = texts.parts.flatMap { part in
      findings(in: part).map { finding in
        let start = finding.range.lowerBound
        return PrivateData(
          kind: finding.value.kind, offset: part.offsets?[start] ?? (part.start + start), isPacked: false)
      }
    }
    let packed = texts.packed.flatMap { data, ranges in
      let all = data.texts.flatMap { findings(in: WireText.Part(bytes: $0, start: 0)) }
      return Set(all.map(\.value.kind)).map { kind in
        PrivateData(kind: kind, offset: ranges.first?.lowerBound ?? 0, isPacked: true)
      }
    }
    return (plain + packed).sorted { ($0.offset, $0.kind.rawValue) < ($1.offset, $1.kind.rawValue) }
  }

  private static func findings(in part: WireText.Part) -> [PrivateFinding] {
    PrivateText.findings(in: part.bytes, head: part.head).filter { finding in
      finding.isPrivate && (finding.value.kind == .mac || finding.value.kind == .email)
    }
  }
}
