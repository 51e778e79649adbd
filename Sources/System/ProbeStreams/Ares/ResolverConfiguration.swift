internal import Glibc
package import ProbeBase
package import ProbeSystem

/// The DNS servers and resolver options of resolv.conf(5).
///
/// ProbeKit reads the file itself: c-ares 1.18 ignores `timeout:`, `attempts:` and `use-vc`, takes `search .` for a
/// domain, and reads environment variables. Comments, limits and defaults follow glibc, except for the timeout: that of
/// glibc is as long as the default timeout of a probe, so a lost datagram or a dead first server would fail the probe.
package struct ResolverConfiguration: Hashable, Sendable {
  /// The servers, in query order.
  package var servers: [SocketAddress] = [SocketAddress(IPAddress(v4: 0x7F00_0001), port: 53)]
  /// The search domains.
  package var search: [String] = []
  /// The minimum number of dots for a name to be tried as is before the search domains (`ndots`).
  package var dots = 1
  /// The timeout of the first attempt; it doubles with each further attempt.
  ///
  /// The default is that of c-ares since version 1.20, and within the range of RFC 1035 §4.2.1.
  package var timeout: Duration = .seconds(2)
  /// The number of attempts for each server.
  package var attempts = 3
  /// Whether queries rotate among the servers.
  var rotates = false
  /// Whether all queries use TCP (`use-vc`).
  package var usesTCP = false
  /// Whether c-ares supports every option in the file.
  ///
  /// False for an option or keyword that Go's resolver does not support either (such as `no-aaaa`,
  /// `no-tld-query`, `sortlist`), for `single-request` and `single-request-reopen`, and for a server whose
  /// address has a zone. `edns0`, `trust-ad` and `no-reload` do not matter: they do not change which
  /// addresses a name has.
  var isUnderstood = true

  /// The defaults without the file.
  package init() {}

  /// Parses the file.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - hostName: The machine's host name, whose domain is searched if the file specifies none.
  package init(_ text: String, hostName: String) {
    var servers: [SocketAddress] = []
    var search: [String]?
    for line in text.split(whereSeparator: \.isNewline) where line.first != "#" && line.first != ";" {
      let words = line.split { $0 == " " || $0 == "\t" }
      // A keyword after a space is not recognized.
      guard let keyword = words.first, keyword.startIndex == line.startIndex else { continue }
      let values = words.dropFirst().map(String.init)
      switch keyword {
      case "nameserver":
        guard let address = values.first.flatMap({ IPAddress($0) }) else {
          isUnderstood = false
          continue
        }
        if servers.count < 3 { servers.append(SocketAddress(address, port: 53)) }
      case "domain": search = Array(values.prefix(1))
      case "search": search = values
      case "options": values.forEach { readOption($0) }
      default: isUnderstood = false
      }
    }
    if !servers.isEmpty { self.servers = servers }
    let domain = hostName.firstIndex(of: ".").map { String(hostName[$0...].dropFirst()) }
    // The root is not a domain to append.
    self.search = (search ?? domain.map { [$0] } ?? []).filter { $0 != "." && !$0.isEmpty }
  }

  private mutating func readOption(_ option: String) {
    let parts = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? parts[1] : nil
    switch (parts[0], value) {
    case ("ndots", let value?): dots = min(Self.number(value), 15)
    case ("timeout", let value?): timeout = .seconds(min(max(Self.number(value), 1), 30))
    case ("attempts", let value?): attempts = min(max(Self.number(value), 1), 5)
    case ("rotate", nil): rotates = true
    case ("use-vc", nil): usesTCP = true
    case ("edns0", nil), ("trust-ad", nil), ("no-reload", nil): break
    default: isUnderstood = false
    }
  }

  /// The digits at the start of a text as a number, as parsed by atoi(3).
  private static func number(_ text: Substring) -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? 0 : Int(text: digits) ?? Int.max
  }
}

extension ResolverConfiguration {
  /// The configuration of this machine.
  ///
  /// A file that does not exist or may not be read counts as empty, as in glibc. One that is not a regular
  /// file, or cannot be read for another reason, is not understood.
  ///
  /// - Throws: `FileError` if a resource is exhausted.
  package static func ofMachine(_ path: String = "/etc/resolv.conf") throws(FileError)
    -> ResolverConfiguration
  {
    do {
      let text = try FileReading.bytes(of: path, limit: 1 << 20, .regularFiles)
      return ResolverConfiguration(String(decoding: text, as: UTF8.self), hostName: machineName)
    } catch {
      if error.isShortage { throw error }
      var configuration = ResolverConfiguration("", hostName: machineName)
      configuration.isUnderstood = error.isAbsence
      return configuration
    }
  }

  /// The machine's host name, or an empty string.
  static var machineName: String {
    var bytes = [CChar](repeating: 0, count: 257)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FileError {
  /// Whether it means that there is no such file for this process, which glibc treats as an empty one.
  package var isAbsence: Bool { [ENOENT, EACCES, EPERM, EISDIR, ELOOP, ENOTDIR].contains(systemCode) }

  /// Whether it means that a resource was exhausted.
  package var isShortage: Bool { AresError(shortage: systemCode) != nil }
}
