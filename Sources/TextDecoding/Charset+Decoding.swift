extension Charset {
  /// The text that bytes stand for.
  ///
  /// What is invalid becomes U+FFFD, and a sequence that the end cuts does too; nothing stops the reading. Work is
  /// linear in the bytes, and the text takes three times their memory at most.
  ///
  /// - Parameter bytes: The text in this charset; for UTF-8 the same bytes come back, valid or not.
  /// - Returns: The text in UTF-8; nil when this machine has no converter for the charset, or when it is one of
  ///   those that the standard decodes to nothing (`replacement`).
  public func decode(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !leavesUnchanged(bytes) else { return bytes }
    return switch method {
    case .none: bytes
    case .refused: nil
    case .utf16(let isBigEndian): decodeUTF16(bytes, isBigEndian: isBigEndian)[...]
    case .userDefined: decodeUserDefined(bytes)[...]
    case .table(let name): CodeTable.of(.upperHalf(name)).map { decode(bytes, by: $0)[...] }
    case .multibyte(let form): MultibyteText(form)?.decode(bytes)[...]
    case .iso2022JP: ISO2022JPText.decode(bytes)?[...]
    }
  }

  /// Whether the text of these bytes is these bytes.
  func leavesUnchanged(_ bytes: ArraySlice<UInt8>) -> Bool {
    switch method {
    case .none: true
    case .table, .userDefined, .multibyte: bytes.isASCII
    case .iso2022JP, .utf16, .refused: false
    }
  }

  private func decode(_ bytes: ArraySlice<UInt8>, by table: CodeTable) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 0x80 { text.append(byte) } else { text.append(character: table[Int(byte & 0x7F)]) }
    }
    return text
  }

  private func decodeUserDefined(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.flatMap { $0 < 0x80 ? [$0] : [0xEF, 0x9E + ($0 >> 6 & 1), 0x80 | $0 & 0x3F] }
  }

  private func decodeUTF16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var place = bytes.startIndex
    func unit(at place: Int) -> UInt32 {
      let (first, second) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    while place + 1 < bytes.endIndex {
      var value = unit(at: place)
      place += 2
      if value < 0x80 {
        text.append(UInt8(value))
        continue
      }
      if value & 0xFC00 == 0xD800, place + 1 < bytes.endIndex, unit(at: place) & 0xFC00 == 0xDC00 {
        value = 0x10000 + (value & 0x3FF) << 10 + unit(at: place) & 0x3FF
        place += 2
      }
      // A lone surrogate is no scalar.
      text.append(
        contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
    }
    if place < bytes.endIndex { text.append(contentsOf: UTF8.encodedReplacementCharacter) }
    return text
  }
}

extension ArraySlice<UInt8> {
  /// Whether every byte is below 0x80.
  var isASCII: Bool {
    unsafe withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        guard word & 0x8080_8080_8080_8080 == 0 else { return false }
        place += 8
      }
      return unsafe bytes[place...].allSatisfy { $0 < 0x80 }
    }
  }
}
