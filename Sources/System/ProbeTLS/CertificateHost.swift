internal import CProbeOpenSSL
internal import ProbeBase
private import Glibc

/// The host for which a server's certificate must be valid: the one that a client connects to, or that a
/// user requires.
///
/// The rules are those of libcurl, and those of RFC 9525 where these are stricter:
///
/// - Only the subject alternative names count, never the common name (RFC 9525 §2). libcurl checks it if
///   there are no others, and browsers do not.
/// - A DNS name matches only names, ignoring case. An IP address matches only the same address, and must be
///   in the certificate as an address, not as a name that looks like one.
/// - `*` matches only a whole first label, and at least two labels must follow it: neither `a*.b.example` nor
///   `*.example` is a wildcard.
/// - A dot at the end of a name, on either side, is ignored.
package struct CertificateHost: Sendable {
  private enum Form: Sendable {
    /// A name in lower case, without a trailing dot.
    case name([UInt8])
    /// The bytes of an address, 4 or 16.
    case address([UInt8])
  }

  private let form: Form

  /// A host from its name or the text of its address.
  ///
  /// - Throws: ``TLSError`` for a text that is empty, has more than 255 bytes or a NUL, or starts with a dot.
  package init(_ text: String) throws(TLSError) {
    var bytes = Array(text.utf8)
    guard (1...255).contains(bytes.count), !bytes.contains(0), bytes[0] != UInt8(ascii: ".") else {
      throw TLSError(.malformedHost, "a host has 1 to 255 bytes, no NUL, and no dot at its start")
    }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    if let address = Self.address(bytes) {
      form = .address(address)
    } else {
      form = .name(bytes.map(\.lowercased))
    }
  }

  /// The name to send to the server (SNI, RFC 6066 §3); nil for an address.
  var serverName: [UInt8]? {
    if case .name(let name) = form { name } else { nil }
  }

  /// The verify error of a certificate for another host.
  var mismatch: Int32 {
    switch form {
    case .name: X509_V_ERR_HOSTNAME_MISMATCH
    case .address: X509_V_ERR_IP_ADDRESS_MISMATCH
    }
  }

  /// Whether a certificate is for this host; false without a certificate.
  func isNamed(in certificate: OpaquePointer?) -> Bool {
    guard let certificate = unsafe certificate else { return false }
    switch form {
    case .address(let address):
      return unsafe X509_check_ip(certificate, address, address.count, 0) == 1
    case .name(let name):
      // Not X509_check_host(3): unlike libcurl and browsers, it rejects underscores in names that match a
      // wildcard.
      return unsafe Self.hasName(certificate) { unsafe Self.matches(name[...], pattern: $0) }
    }
  }
}

extension CertificateHost {
  /// Whether a certificate with these alternative names (``CertificateFacts/alternativeNames``) is for this
  /// host.
  ///
  /// A DNS name that looks like an address has a prefix there, so that no host matches it.
  package func isNamed(among names: [String]) -> Bool {
    names.contains { text in
      let bytes = Array(text.utf8)
      switch form {
      case .address(let address): return Self.address(bytes) == address
      case .name(let name):
        return unsafe bytes.withUnsafeBufferPointer { unsafe Self.matches(name[...], pattern: $0) }
      }
    }
  }

  /// Whether a certificate has a DNS name that satisfies a predicate.
  private static func hasName(
    _ certificate: OpaquePointer, where isWanted: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    guard let names = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return false
    }
    let stack = OpaquePointer(names)
    defer { unsafe GENERAL_NAMES_free(stack) }
    for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
      guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
      var kind: Int32 = 0
      let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let value = unsafe GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS else { continue }
      let string = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
      let bytes = unsafe UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: max(0, Int(widening: ASN1_STRING_length(string))))
      if unsafe isWanted(bytes) { return true }
    }
    return false
  }

  /// Whether a name matches a name in a certificate, which may be a wildcard.
  private static func matches(_ name: ArraySlice<UInt8>, pattern: UnsafeBufferPointer<UInt8>) -> Bool {
    let dot = UInt8(ascii: ".")
    var pattern = unsafe pattern[...]
    if unsafe pattern.last == dot { unsafe pattern.removeLast() }
    let remainder = unsafe pattern.dropFirst()
    // A wildcard with at least two labels after it: a dot right after the star, and another one.
    if unsafe pattern.first == UInt8(ascii: "*"), unsafe remainder.first == dot,
      unsafe remainder.dropFirst().contains(dot)
    {
      guard let end = name.firstIndex(of: dot), end > name.startIndex else { return false }
      return unsafe equals(name[end...], remainder)
    }
    return unsafe equals(name, pattern)
  }

  private static func equals(_ name: ArraySlice<UInt8>, _ other: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    unsafe name.count == other.count && zip(name, other).allSatisfy { $0 == $1.lowercased }
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}

/// A DNS name as used in TLS and in certificates: ASCII, in lower case, without a trailing dot.
package struct HostName: Hashable, Sendable {
  package let text: String

  /// A name from untrusted bytes.
  ///
  /// Labels have 1 to 63 letters, digits, hyphens or underscores, the whole at most 253 (RFC 1123 §2.1, RFC
  /// 1035 §2.3.4); an underscore is not allowed in a host name but used nevertheless. Addresses are not names
  /// (RFC 6066 §3), and neither is a name that looks like one: its last label is a number.
  ///
  /// - Returns: nil if it is not a valid name.
  package init?(_ bytes: some Collection<UInt8>) {
    guard (1...253).contains(bytes.count) else { return nil }
    let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.allSatisfy({ (1...63).contains($0.count) && $0.allSatisfy(\.isNameCharacter) }),
      let last = labels.last, !last.allSatisfy(\.isDigit)
    else { return nil }
    text = String(decoding: bytes.map(\.lowercased), as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isNameCharacter: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased)
      || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}

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
