/// An argument from the operating system: bytes, which may be invalid UTF-8.
package struct RawArgument: Hashable, Sendable {
  /// The argument as text; bytes that are not valid UTF-8 are written as `\xNN`.
  package let text: String
  /// The index of the first byte that is not valid UTF-8, or nil.
  let invalidOffset: Int?

  /// Whether the argument is valid UTF-8.
  package var isValid: Bool { invalidOffset == nil }

  package init(_ bytes: [UInt8]) {
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

  package init(_ text: String) {
    self.text = text
    invalidOffset = nil
  }
}

extension ArraySlice<UInt8> {
  /// The number of leading bytes that are complete UTF-8 sequences.
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
