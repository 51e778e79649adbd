private import Glibc

extension CertificateHost {
  /// The bytes of an address, 4 or 16, or nil for a text that is not an address (inet_pton(3)).
  static func address(_ text: [UInt8]) -> [UInt8]? {
    guard !text.contains(0) else { return nil }
    let text = text.map { CChar(bitPattern: $0) } + [0]
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if unsafe inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }
}
