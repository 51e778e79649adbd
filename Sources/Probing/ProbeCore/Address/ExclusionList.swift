/// Hosts and blocks of addresses that are not to be probed.
///
/// It can have a million entries: a lookup takes one step for each label of a name, or for each prefix length
/// in the list.
package struct ExclusionList: Sendable {
  /// Hosts, in ASCII and lower case, without a trailing dot.
  private var hosts: Set<String> = []
  /// Domains, in the same form, whose hosts are excluded.
  private var domains: Set<String> = []
  private var blocksV4 = PrefixTable<UInt32>()
  private var blocksV6 = PrefixTable<UInt128>()

  package init() {}
}

/// Adding entries.
extension ExclusionList {
  /// Excludes a host.
  ///
  /// - Parameter host: Its name in ASCII and lower case, without a trailing dot.
  mutating func add(host: String) {
    hosts.insert(host)
  }

  /// Excludes all hosts below a domain.
  ///
  /// - Parameter domain: Its name in ASCII and lower case, without a trailing dot.
  mutating func add(hostsBelow domain: String) {
    domains.insert(domain)
  }

  /// Excludes a block; one of IPv4-mapped addresses is the block of their IPv4 addresses.
  mutating func add(_ block: AddressBlock) {
    let bits = block.address.bits
    if block.address.family == .v6, bits >> 32 == 0xFFFF, block.prefixLength >= 96 {
      blocksV4.add(UInt32(truncatingIfNeeded: bits), length: block.prefixLength - 96)
    } else if block.address.family == .v6 {
      blocksV6.add(bits, length: block.prefixLength)
    } else {
      blocksV4.add(UInt32(truncatingIfNeeded: bits), length: block.prefixLength)
    }
  }
}

/// Looking up entries.
extension ExclusionList {
  /// Whether it contains addresses or blocks.
  var hasBlocks: Bool { !blocksV4.lengths.isEmpty || !blocksV6.lengths.isEmpty }

  /// The entry that excludes a host, as in a file; nil if none does.
  ///
  /// - Parameter host: A name in ASCII and lower case.
  /// - Returns: The host, or `*.` and a domain.
  package func entry(forHost host: String) -> String? {
    guard !hosts.isEmpty || !domains.isEmpty else { return nil }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if hosts.contains(name) { return name }
    guard !domains.isEmpty else { return nil }
    var rest = name[...]
    while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
      rest = rest[rest.utf8.index(after: dot)...]
      let domain = String(rest)
      if domains.contains(domain) { return "*.\(domain)" }
    }
    return nil
  }

  /// The smallest block that excludes an address; nil if none does.
  ///
  /// An IPv6 address that contains an IPv4 address (``IPAddress/embeddedV4``) is excluded with that address too.
  package func block(for address: IPAddress) -> AddressBlock? {
    switch address.family {
    case .v4:
      let bits = UInt32(truncatingIfNeeded: address.bits)
      return blocksV4.prefix(of: bits).map { AddressBlock(IPAddress(v4: $0.bits), prefixLength: $0.length) }
    case .v6:
      if let found = blocksV6.prefix(of: address.bits) {
        return AddressBlock(IPAddress(v6: found.bits), prefixLength: found.length)
      }
      return address.embeddedV4.lazy.compactMap { block(for: $0) }.first
    }
  }
}

extension ExclusionList {
  /// The lengths of the IPv4 prefixes; a lookup takes one step for each.
  var lengths: [Int] { blocksV4.lengths }
}

/// Address blocks of one family, grouped by prefix length.
private struct PrefixTable<Bits: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The prefixes of one length, without the other bits.
  private struct Row {
    let length: Int
    var prefixes: Set<Bits> = []
  }

  /// The rows, the longest prefixes first.
  private var rows: [Row] = []

  var lengths: [Int] { rows.map(\.length) }

  mutating func add(_ bits: Bits, length: Int) {
    let row = rows.firstIndex { $0.length <= length } ?? rows.endIndex
    if row == rows.endIndex || rows[row].length != length { rows.insert(Row(length: length), at: row) }
    rows[row].prefixes.insert(bits >> (Bits.bitWidth - length))
  }

  /// The longest prefix of an address that is in the table, with zeros after it.
  func prefix(of bits: Bits) -> (bits: Bits, length: Int)? {
    for row in rows {
      let free = Bits.bitWidth - row.length
      let prefix = bits >> free
      if row.prefixes.contains(prefix) { return (prefix << free, row.length) }
    }
    return nil
  }
}

/// Reading the list from a file.
extension ExclusionList {
  /// The maximum number of mistakes to report one by one.
  private static let maximumMistakes = 100
  private static let forms = "write it as example.com, *.example.com, 192.0.2.1 or 2001:db8::/32"

  /// Reads a file with one entry per line.
  ///
  /// An entry is a host (`example.com`), all hosts below a domain (`*.example.com`), an address, or a block of addresses
  /// (`192.0.2.0/24`). Empty lines and lines that begin with `#` are skipped.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Throws: All mistakes, each with the number of its line.
  package init(_ bytes: [UInt8]) throws(InvalidExclusions) {
    var mistakes: [InvalidInput] = []
    var others = 0
    ListFile.forEachEntry(of: bytes) { number, entry in
      do throws(InvalidInput) {
        try add(entry: entry)
      } catch {
        guard mistakes.count < Self.maximumMistakes else { return others += 1 }
        mistakes.append(InvalidInput("line \(number): \(error.message)", remedy: error.remedy))
      }
    }
    if others > 0 {
      mistakes.append(
        InvalidInput("\(others) more lines are not entries", remedy: "check that it is the right file"))
    }
    if !mistakes.isEmpty { throw InvalidExclusions(mistakes: mistakes) }
  }

  /// Adds an entry in one of these forms.
  ///
  /// - Throws: `InvalidInput` if the entry has none of these forms.
  package mutating func add(entry: ArraySlice<UInt8>) throws(InvalidInput) {
    // A line of this length is not an entry; it may be an entire file without line breaks.
    guard entry.count <= 1024 else { throw Self.noEntry(entry) }
    let text = String(decoding: entry, as: UTF8.self)
    if let address = IPAddress(text) {
      add(AddressBlock(address, prefixLength: address.family == .v4 ? 32 : 128))
    } else if entry.contains(UInt8(ascii: "/")) {
      guard entry.firstRange(of: "://".utf8) == nil else {
        throw InvalidInput("\(Excerpt(entry)) is a URL", remedy: "write its host alone")
      }
      add(try AddressBlock(text))
    } else if entry.starts(with: "*.".utf8) {
      add(hostsBelow: try Self.name(entry.dropFirst(2), in: entry))
    } else {
      add(host: try Self.name(entry, in: entry))
    }
  }

  /// The canonical form of a host name, for comparisons.
  private static func name(
    _ bytes: ArraySlice<UInt8>, in entry: ArraySlice<UInt8>
  ) throws(InvalidInput) -> String {
    let authority: Authority
    do throws(InvalidInput) {
      authority = try Authority(bytes)
    } catch {
      throw noEntry(entry)
    }
    guard authority.port == nil else {
      throw InvalidInput(
        "\(Excerpt(entry)) has a port", remedy: "write the host alone: all its ports are excluded")
    }
    guard IPAddress(authority.host) == nil else { throw noEntry(entry) }
    return authority.host.hasSuffix(".") ? String(authority.host.dropLast()) : authority.host
  }

  private static func noEntry(_ entry: ArraySlice<UInt8>) -> InvalidInput {
    InvalidInput("\(Excerpt(entry)) is no host, address or block", remedy: forms)
  }
}

/// The mistakes of a file of exclusions.
package struct InvalidExclusions: InvalidInputs, Hashable {
  /// The mistakes, in the order of their lines; at least one.
  package let mistakes: [InvalidInput]
}
