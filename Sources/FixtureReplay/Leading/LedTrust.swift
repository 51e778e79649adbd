import ProbeCore

extension TLSRequestOptions {
  /// Trusts one authority and nobody else.
  mutating func trustOnly(authority pem: String) {
    additionalAuthorities = nil
  }
}
