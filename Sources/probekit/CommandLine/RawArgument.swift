/// One argument as the operating system handed it over: bytes, which need not be text.
struct RawArgument: Hashable, Sendable {
  /// The argument as text; bytes that are not UTF-8 are written as `\xNN`.
  let text: String
  /// Where the first byte stands that is not UTF-8, or nil when all of it is.
  let invalidOffset: Int?

  /// Whether the argument is text.
  var isValid: Bool { invalidOffset == nil }

  init(_ bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self.text = text
      invalidOffset = nil
      return
    }
    var text = ""
    var offset: Int?
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = rest.validUTF8PrefixLength
      text += String(decoding: rest.prefix(length), as: UTF8.self)
      rest = rest.dropFirst(length)
      guard let byte = rest.popFirst() else { break }
      if offset == nil { offset = rest.startIndex - 1 }
      text += "\\x" + String(byte, radix: 16)
    }
    self.text = text
    invalidOffset = offset
  }

  init(_ text: String) {
    self.text = text
    invalidOffset = nil
  }
}

extension ArraySlice<UInt8> {
  /// How many bytes from the start are whole UTF-8 sequences.
  fileprivate var validUTF8PrefixLength: Int {
    var decoder = UTF8()
    var iterator = makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      length += UTF8.width(scalar)
    }
    return length
  }
}
