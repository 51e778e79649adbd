import FoundationEssentials
import ProbeCore
import ProbeOpenSSL

extension String {
  /// Escapes the text for HTML content and for attributes in double quotes, including invisible and control
  /// characters.
  var escapedForHTML: String { escapedForDisplay.withHTMLReferences }

  /// The digest of a style or script in the form of a content security policy (CSP Level 3 §6.7.3.2).
  var digestForPolicy: String {
    let digits = Array(MessageDigest.sha256.hexadecimal(of: Array(utf8)).utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
      UInt8(text: String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
    }
    return "'sha256-\(Data(bytes).base64EncodedString())'"
  }
}
