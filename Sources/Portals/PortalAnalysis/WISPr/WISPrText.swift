import ProbeBase

/// Decoding raw bytes of XML, as leniently as gateway messages require.
extension ArraySlice<UInt8> {
  /// The text: CDATA sections unchanged, entities decoded elsewhere, surrounding white space removed.
  ///
  /// CDATA is often written incorrectly: with an extra bracket, or without its `<!`.
  var plainText: [UInt8] {
    let trimmed = trimming { $0 <= 0x20 }
    var text: [UInt8] = []
    var rest = trimmed
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      text += rest[..<open].decodingEntities
      let section = rest[open...].dropFirst(cdataStart.count)
      var end = section.startIndex
      while end < section.endIndex, !section[end...].starts(with: cdataEnd) { end += 1 }
      text += section[..<end].withoutBrackets
      rest = section[end...].dropFirst(cdataEnd.count)
    }
    if text.isEmpty, rest.starts(with: misspelt) {
      text = rest.dropFirst(misspelt.count).withoutClosing.decodingEntities
    } else {
      text += rest.decodingEntities
    }
    return [UInt8](text.trimming { $0 <= 0x20 })
  }

  /// The bytes without the extra brackets in `<![CDATA[[text]]]>`.
  private var withoutBrackets: ArraySlice<UInt8> {
    guard first == UInt8(ascii: "[") else { return self }
    return last == UInt8(ascii: "]") ? dropFirst().dropLast() : dropFirst()
  }

  private var withoutClosing: ArraySlice<UInt8> {
    var rest = self
    if rest.last == UInt8(ascii: ">") { rest.removeLast() }
    for _ in 0..<2 where rest.last == UInt8(ascii: "]") { rest.removeLast() }
    return rest
  }
}

private let cdataStart = Array("<![CDATA[".utf8)
private let cdataEnd = Array("]]>".utf8)
private let misspelt = Array("CDATA[[".utf8)
