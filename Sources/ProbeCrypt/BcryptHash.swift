internal import CProbeCrypt
internal import Glibc

/// The hash of a password by bcrypt, as `htpasswd -B` writes it.
package struct BcryptHash: Hashable, Sendable {
  /// The hash: the version, the cost, the salt and the digest.
  package let text: String
  /// The binary logarithm of the number of steps; with 10, a check takes about 50 ms.
  package let cost: Int

  /// A hash such as `$2y$10$…`, of 60 characters.
  ///
  /// - Returns: nil if the text is not a hash by bcrypt, or one of a faulty version (`$2x$`).
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 60, bytes.starts(with: "$2".utf8), "aby".utf8.contains(bytes[2]),
      bytes[3] == UInt8(ascii: "$"), bytes[6] == UInt8(ascii: "$"), bytes[7...].allSatisfy(Self.isDigit),
      let cost = Int(String(decoding: bytes[4...5], as: UTF8.self)), (4...31).contains(cost)
    else { return nil }
    (self.text, self.cost) = (text, cost)
  }

  /// Whether this is the hash of a password.
  ///
  /// It takes 2 to the power of ``cost`` steps, and always the same time for a hash. Only the first 72 bytes of a
  /// password count.
  package func matches(_ password: [UInt8]) -> Bool {
    var phrase = Array(password.prefix(72))
    // C would end the password there.
    let isText = !phrase.contains(0)
    if !isText { phrase = [] }
    phrase.append(0)
    let size = Int(CRYPT_OUTPUT_SIZE) + 32 * 1024
    let data = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe data.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer {
      unsafe explicit_bzero(data, size)
      unsafe data.deallocate()
      unsafe phrase.withUnsafeMutableBytes { phrase in
        if let start = phrase.baseAddress { unsafe explicit_bzero(start, phrase.count) }
      }
    }
    let found = unsafe phrase.withUnsafeBytes { phrase -> [UInt8] in
      let start = unsafe phrase.bindMemory(to: CChar.self).baseAddress
      guard let output = unsafe crypt_rn(start, text, data, Int32(size)) else { return [] }
      return unsafe Array(UnsafeRawBufferPointer(start: output, count: strlen(output)))
    }
    let expected = Array(text.utf8)
    guard found.count == expected.count else { return false }
    var difference: UInt8 = 0
    // Behind the salt, whose last digit has bits without meaning.
    for (left, right) in zip(found[29...], expected[29...]) { difference |= left ^ right }
    return isText && difference == 0
  }

  /// Whether a byte is a digit of bcrypt's own base 64.
  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: ".")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

extension BcryptHash: CustomStringConvertible, CustomReflectable {
  /// Not the hash, with which passwords could be guessed.
  package var description: String { "<redacted>" }

  /// No contents, for the same reason.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
