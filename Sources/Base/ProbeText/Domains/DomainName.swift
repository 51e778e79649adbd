private import CProbeIDN2

/// Internationalized domain names in the form used by DNS, HTTP, TLS and certificates.
package enum DomainName {
  /// The version of libidn2 that is running.
  package static var libraryVersion: String { unsafe String(cString: idn2_check_version(nil)) }

  /// The name in ASCII; its non-ASCII labels become A-labels (`xn--…`).
  ///
  /// The name is mapped as in browsers (UTS #46, non-transitional: `ß` is preserved; upper case, full-width
  /// forms and East Asian full stops are replaced by their equivalents), normalized (NFC) and validated by
  /// IDNA 2008 (RFC 5891 §5): code points, hyphens, joiners and text direction. Unlike in browsers, emoji are
  /// refused.
  ///
  /// - Parameter name: The name, in UTF-8 and without a zero byte.
  /// - Returns: The name in ASCII; mapping may have introduced characters that are invalid in host names.
  /// - Throws: ``DomainNameError`` if it has no ASCII form.
  package static func ascii(_ name: String) throws(DomainNameError) -> String {
    var ascii: UnsafeMutablePointer<UInt8>?
    let flags = Int32(IDN2_NFC_INPUT.rawValue) | Int32(IDN2_NONTRANSITIONAL.rawValue)
    let code = unsafe name.withCString { pointer in
      unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: name.utf8.count + 1) {
        unsafe idn2_lookup_u8($0, &ascii, flags)
      }
    }
    defer { unsafe idn2_free(ascii) }
    guard code == IDN2_OK.rawValue, let ascii = unsafe ascii else { throw DomainNameError(code: code) }
    return unsafe String(cString: ascii)
  }
}

/// The reason why a name has no ASCII form.
package struct DomainNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The library's code.
  package let code: Int32

  package init(code: Int32) {
    self.code = code
  }

  /// The reason, as the predicate of a sentence about the name: `contains …`.
  package var description: String {
    switch idn2_rc(code) {
    case IDN2_TOO_BIG_LABEL, IDN2_PUNYCODE_BIG_OUTPUT: "is longer than 63 characters in its ASCII form"
    case IDN2_TOO_BIG_DOMAIN: "is longer than 253 characters in its ASCII form"
    case IDN2_BIDI: "mixes writing directions in a way that host names must not (RFC 5893)"
    case IDN2_DISALLOWED: "contains a character that is not allowed in host names, such as an emoji"
    case IDN2_UNASSIGNED: "contains a character that Unicode does not define"
    case IDN2_LEADING_COMBINING: "begins with a combining mark"
    case IDN2_CONTEXTJ, IDN2_CONTEXTJ_NO_RULE, IDN2_CONTEXTO, IDN2_CONTEXTO_NO_RULE:
      "contains a character that is not allowed at its place"
    case IDN2_2HYPHEN: "has hyphens as its third and fourth characters"
    case IDN2_HYPHEN_STARTEND: "begins or ends with a hyphen"
    case IDN2_PUNYCODE_BAD_INPUT, IDN2_INVALID_ALABEL, IDN2_UALABEL_MISMATCH, IDN2_ALABEL_ROUNDTRIP_FAILED:
      "is not a valid ASCII form (xn--…) of a name"
    default: unsafe "cannot be converted (\(String(cString: idn2_strerror(code))))"
    }
  }
}
