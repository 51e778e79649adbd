import ProbeCore
import ProbeSystem
package import ProbeBase

/// The secret that a client of the control must send.
package struct ControlToken: Sendable {
  /// The token, which may be shown only to the user.
  package let text: String

  /// Creates a token of 128 random bits.
  package init() {
    var numbers = SystemRandomNumberGenerator()
    text = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }.hexText
  }

  /// Reads a token from a file, without surrounding white space.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read, or has no token of 16 to 512 characters (RFC 6750
  ///   §2.1).
  package init(file path: String) throws(InvalidInput) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileReading.bytes(of: path, limit: 4096, .anything)
    } catch {
      throw InvalidInput("\(path.escapedForDisplay): cannot be read: \(error)")
    }
    let token = bytes.trimming(where: \.isSpaceInC)
    guard (16...512).contains(token.count), token.allSatisfy(Self.isAllowed) else {
      throw InvalidInput(
        "\(path.escapedForDisplay): this is not a token",
        remedy: "write 16 to 512 letters, digits or -._~+/= into the file")
    }
    text = String(decoding: token, as: UTF8.self)
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-._~+/=".utf8.contains(byte)
  }

  /// Whether the value of an Authorization field has the token; the comparison takes constant time.
  func isIn(_ authorization: String?) -> Bool {
    guard let authorization else { return false }
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer" else { return false }
    let (own, given) = (Array(text.utf8), Array(words[1].utf8))
    guard own.count == given.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(own, given) { difference |= left ^ right }
    return difference == 0
  }
}
