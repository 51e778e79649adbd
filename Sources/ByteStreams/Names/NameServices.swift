package import ProbeAres

/// How a host name is to be looked up.
package enum NameRoute: Hashable, Sendable {
  /// By us: in these sources, in this order; the next one when one does not have it.
  case own([AresChannel.Source])
  /// By the C library, getaddrinfo(3).
  case system
}

/// Which name services this machine has, and who asks them: the `hosts` line of nsswitch.conf(5), and what
/// else changes what getaddrinfo(3) answers.
///
/// Only the hosts file and DNS are looked up by us. Everything else is the C library's affair, as far as it
/// might answer for a name. The rules are those of Go's resolver (`hostLookupOrder` in its
/// `src/net/conf.go`), and stricter than they are where an action in brackets ends the search early.
package struct NameServices: Hashable, Sendable {
  /// What is known of the machine besides its files.
  package struct MachineFacts: Hashable, Sendable {
    /// The machine's name; empty when it is not known.
    package var hostName = ""
    /// Whether there is a file `/etc/mdns.allow`, by which mDNS may answer for names beyond `.local`.
    package var allowsOtherNamesByMDNS = false
    /// Whether there is a variable that changes lookups: `LOCALDOMAIN`, `RES_OPTIONS` or `HOSTALIASES`.
    package var hasVariables = false
    /// Whether all files could be read, and ``ResolverConfiguration/isUnderstood`` says so.
    package var isConfigurationUnderstood = true

    /// A machine without anything special.
    package init() {}
  }

  /// The services in their order, or nil when the line cannot be read.
  private let services: [NameService]?
  private let machine: MachineFacts

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - text: The content of `/etc/nsswitch.conf`; nil when there is none.
  ///   - machine: What else is known.
  package init(_ text: String?, _ machine: MachineFacts = MachineFacts()) {
    self.machine = machine
    var lines: [Substring] = []
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let line = line.prefix { $0 != "#" }
      let words = line.drop(while: \.isWhitespace)
      let name = words.prefix { !$0.isWhitespace && $0 != ":" }
      // glibc does without the colon, too.
      if name == "hosts" { lines.append(words[name.endIndex...].drop { $0.isWhitespace || $0 == ":" }) }
    }
    switch lines.count {
    // What glibc has for want of a line.
    case 0: services = NameService.list("files dns")
    case 1: services = NameService.list(lines[0])
    default: services = nil
    }
  }

  /// How to look a name up.
  ///
  /// - Parameter host: A name, not an address.
  /// - Returns: Who is to look it up.
  package func route(of host: String) -> NameRoute {
    guard let services, machine.isConfigurationUnderstood, !machine.hasVariables, host.isPlainName
    else { return .system }
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    var sources: [AresChannel.Source] = []
    // Of one of ours an action ends the search; that is the plain order when another one does not follow.
    var mayEnd = false
    for service in services {
      switch service.name {
      case "files", "dns":
        guard !mayEnd, service.returns(on: "success") else { return .system }
        mayEnd = ["notfound", "unavail", "tryagain"].contains { service.returns(on: $0) }
        let source = service.name == "files" ? AresChannel.Source.hostsFile : .dns
        if !sources.contains(source) { sources.append(source) }
      case "myhostname":
        // Of another name than these it says that it is not found.
        guard !isOwnName(name), !service.returns(on: "notfound") else { return .system }
      case let mdns where mdns.hasPrefix("mdns"):
        // Of other names than these it says that it is not responsible.
        guard !machine.allowsOtherNamesByMDNS, name != "local", !name.hasSuffix(".local"),
          !service.returns(on: "unavail")
        else { return .system }
      default: return .system
      }
    }
    return sources.isEmpty ? .system : .own(sources)
  }

  /// Whether a name is one of this machine and nobody else's: `localhost`, and what is below it (RFC 6761
  /// §6.3).
  ///
  /// No DNS server is to be asked for it. c-ares asks for all but `localhost` itself.
  package static func isLocalhost(_ host: String) -> Bool {
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Whether nss-myhostname(8) answers for a name.
  private func isOwnName(_ name: String) -> Bool {
    let names = [
      "localhost.localdomain", "gateway", "_gateway", "_outbound", machine.hostName.lowercased(),
    ]
    return machine.hostName.isEmpty || names.contains(name) || Self.isLocalhost(name)
      || name.hasSuffix(".localhost.localdomain")
  }
}

extension String {
  /// Whether it has nothing but what names of hosts have; what another one means is the C library's affair.
  fileprivate var isPlainName: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}

/// A name service, and what is done with its answers.
private struct NameService: Hashable {
  let name: String
  /// The statuses upon which the search ends.
  private var returning: Set<String> = ["success"]

  private static let statuses: Set<String> = ["success", "notfound", "unavail", "tryagain"]

  private init(_ name: Substring) {
    self.name = String(name)
  }

  func returns(on status: String) -> Bool { returning.contains(status) }

  /// The services of a line, or nil when it cannot be read.
  static func list(_ line: Substring) -> [NameService]? {
    var services: [NameService] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first {
      if first == "[" {
        guard let end = rest.firstIndex(of: "]"), let last = services.indices.last,
          services[last].add(rest[..<end].dropFirst())
        else { return nil }
        rest = rest[end...].dropFirst()
      } else {
        let name = rest.prefix { !$0.isWhitespace && $0 != "[" }
        services.append(NameService(name))
        rest = rest.dropFirst(name.count)
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return services
  }

  /// Adds what stands in brackets, such as `!UNAVAIL=return`.
  ///
  /// - Returns: Whether it can be read.
  private mutating func add(_ actions: Substring) -> Bool {
    for action in actions.lowercased().split(whereSeparator: \.isWhitespace) {
      let isNegated = action.first == "!"
      let parts = action.dropFirst(isNegated ? 1 : 0).split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, Self.statuses.contains(String(parts[0])) else { return false }
      let named: Set = [String(parts[0])]
      let affected = isNegated ? Self.statuses.subtracting(named) : named
      switch parts[1] {
      case "return": returning.formUnion(affected)
      case "continue": returning.subtract(affected)
      default: return false
      }
    }
    return true
  }
}
