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
