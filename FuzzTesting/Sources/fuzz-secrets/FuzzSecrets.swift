import FoundationEssentials
import FuzzSupport
import ProbeCore

private let secrets = ["a/b+c=?é\"", "pass word&<7f3a>", "tok-en_1.~", "aaaa", "%2F&lt;\\n"]
private let redactor = Redactor(secrets.map { Secret($0) })

/// Any bytes as the data of a server: no spelling of a secret is left in them, and the work is proportional.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSecrets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  var left: [UInt8] = []
  checkWork(of: count) { left = redactor.redacted(bytes) }
  for secret in secrets {
    let secret = Array(secret.utf8)
    for offset in left.indices {
      precondition(
        !isEscaped(secret[...], at: offset, of: left),
        "a secret is left: \(String(decoding: left, as: UTF8.self))")
    }
    for alphabet in ["+/", "-_"] {
      precondition(
        !isInBase64(secret, of: left, alphabet), "Base64 is left: \(String(decoding: left, as: UTF8.self))")
    }
  }
  return 0
}

/// Whether a text has the bytes at an offset, escaped or not, in any of its readings; slow but simple.
private func isEscaped(_ secret: ArraySlice<UInt8>, at offset: Int, of text: [UInt8]) -> Bool {
  guard !secret.isEmpty else { return true }
  return readings(at: offset, of: text).contains { meant, length in
    secret.starts(with: meant) && isEscaped(secret.dropFirst(meant.count), at: offset + length, of: text)
  }
}

/// The possible readings of the text at an offset, and their lengths in bytes.
private func readings(at offset: Int, of text: [UInt8]) -> [(meant: [UInt8], length: Int)] {
  guard offset < text.count else { return [] }
  let rest = Array(text[offset...].prefix(16))
  var readings: [(meant: [UInt8], length: Int)] = [([rest[0]], 1)]
  func add(_ scalar: UInt32, _ length: Int) {
    if let scalar = Unicode.Scalar(scalar) { readings.append((Array(String(scalar).utf8), length)) }
  }
  if rest[0] == UInt8(ascii: "+") { readings.append((Array(" ".utf8), 1)) }
  for level in 0..<3 {
    let sign = Array(("%" + String(repeating: "25", count: level)).utf8)
    if rest.starts(with: sign), let byte = number(rest.dropFirst(sign.count).prefix(2), 2) {
      readings.append(([UInt8(byte)], sign.count + 2))
    }
  }
  for (name, character) in [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&eacute;", "é"), ("\\/", "/"),
    ("\\\"", "\""), ("\\\\", "\\"),
  ]
  where rest.starts(with: name.utf8) {
    readings.append((Array(character.utf8), name.utf8.count))
  }
  if rest.starts(with: "\\u".utf8), let unit = number(rest.dropFirst(2).prefix(4), 4) { add(unit, 6) }
  if rest.starts(with: "\\x".utf8), let byte = number(rest.dropFirst(2).prefix(2), 2) { add(byte, 4) }
  if rest.starts(with: "&#x".utf8) {
    let digits = rest.dropFirst(3).prefix { Character(Unicode.Scalar($0)).isHexDigit }
    if rest.dropFirst(3 + digits.count).first == UInt8(ascii: ";"), let value = number(digits, digits.count) {
      add(value, 4 + digits.count)
    }
  }
  return readings
}

private func number(_ digits: ArraySlice<UInt8>, _ count: Int) -> UInt32? {
  let text = String(decoding: digits, as: UTF8.self)
  guard digits.count == count, count > 0, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
  else { return nil }
  return UInt32(text, radix: 16)
}

/// Whether Base64 somewhere in a text contains the bytes.
private func isInBase64(_ secret: [UInt8], of text: [UInt8], _ signs: String) -> Bool {
  let runs = text.split { byte in
    let character = Character(Unicode.Scalar(byte))
    return !(byte < 0x80 && (character.isLetter || character.isNumber) || signs.utf8.contains(byte))
  }
  return runs.contains { run in
    (0..<4).contains { offset in
      let standard = run.dropFirst(offset).map { byte in
        byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
      }
      let whole = standard.prefix(standard.count / 4 * 4)
      guard let decoded = Data(base64Encoded: Data(whole)) else { return false }
      return decoded.firstRange(of: secret) != nil
    }
  }
}
