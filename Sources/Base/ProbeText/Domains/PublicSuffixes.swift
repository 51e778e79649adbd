import ProbeBase
private import CProbePSL

/// The public suffix list (https://publicsuffix.org): the names directly below which anybody may register a domain.
///
/// A name is a public suffix if the list names it, such as `co.uk` and `github.io`, and if it has a single label. Unlike
/// in the published algorithm, the parent of a wildcard is one too: `compute.estate`, because of `*.compute.estate`.
/// Names are compared without regard to case, and with or without a final full stop; names that
/// are not ASCII may be in UTF-8 (NFKC) or in their ASCII form.
@safe
package final class PublicSuffixes {
  /// The latest list of this system: that of the distribution, or that in the library itself.
  package static let standard = unsafe PublicSuffixes(psl_latest(nil))

  /// The version of libpsl that is running.
  package static var libraryVersion: String {
    String(unsafe String(cString: psl_get_version()).prefix { $0 != " " })
  }

  /// The list; nil if the system has none, and then every name counts as a public suffix.
  private let list: OpaquePointer?

  private init(_ list: OpaquePointer?) {
    unsafe self.list = unsafe list
  }

  /// The list in a file, in the published format; nil if it cannot be read.
  package convenience init?(file path: String) {
    guard let list = unsafe psl_load_file(path) else { return nil }
    unsafe self.init(list)
  }

  deinit {
    // The library ignores the list that is part of it.
    unsafe psl_free(list)
  }

  /// The registrable domain of a host: the public suffix and the label before it.
  ///
  /// - Parameter host: The name of the host.
  /// - Returns: The domain, without a final full stop; nil for an address, a public suffix, and a name with an empty
  ///   label.
  package func registrableDomain(of host: String) -> String? {
    guard let name = Self.domain(host) else { return nil }
    return unsafe name.withCString { name in
      guard let domain = unsafe psl_registrable_domain(list, name) else { return nil }
      return unsafe String(cString: domain)
    }
  }

  /// Whether a name is a public suffix.
  ///
  /// - Parameters:
  ///   - name: The name; an address and a name with an empty label are none.
  ///   - isRegistrySuffix: Whether only the suffixes of registries count, such as `co.uk`, and not those of other
  ///     organisations that give names to the public, such as `github.io`.
  /// - Returns: Whether it is one.
  package func isPublicSuffix(_ name: String, ofRegistry isRegistrySuffix: Bool = false) -> Bool {
    guard let name = Self.domain(name) else { return false }
    let kinds = isRegistrySuffix ? PSL_TYPE_ICANN : PSL_TYPE_ICANN | PSL_TYPE_PRIVATE
    return unsafe psl_is_public_suffix2(list, name, kinds) != 0
  }

  /// The name as the library expects it; nil if it is not a domain name.
  private static func domain(_ name: String) -> String? {
    let stop = UInt8(ascii: ".")
    var last = stop
    var isLower = true
    for byte in name.utf8 {
      // An address of IPv6, the end of a text in C, and an empty label.
      guard byte != UInt8(ascii: ":"), byte != 0, byte != stop || last != stop else { return nil }
      if byte >= 0x80 || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) { isLower = false }
      last = byte
    }
    let rooted = name.utf8.last == stop ? name.dropLast() : name[...]
    guard !rooted.isEmpty, !endsInNumber(rooted.utf8) else { return nil }
    return isLower ? String(rooted) : rooted.lowercased()
  }

  /// Whether the last label is a number, as in every address of IPv4 and in no domain name (WHATWG URL §3.5).
  private static func endsInNumber(_ name: Substring.UTF8View) -> Bool {
    let start = name.lastIndex(of: UInt8(ascii: ".")).map { name.index(after: $0) } ?? name.startIndex
    let label = name[start...]
    if label.starts(with: "0x".utf8) || label.starts(with: "0X".utf8) {
      return label.dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
    }
    return label.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// A list does not change once it is loaded, and libpsl states that its functions may use it on several threads.
extension PublicSuffixes: @unchecked Sendable {}
