internal import Glibc
package import ProbeSystem

/// The way to look up a host name.
package enum NameRoute: Hashable, Sendable {
  /// Directly, in these sources in order, until one has the name.
  case own([AresChannel.Source])
  /// By the C library, getaddrinfo(3).
  case system
}

/// The name services of this machine, and whether they are queried directly or by the C library.
///
/// They depend on the `hosts` line of nsswitch.conf(5), and on everything else that affects getaddrinfo(3).
/// Only the hosts file and DNS are queried directly. The C library handles everything else that might resolve
/// a name. The rules are those of Go's resolver (`hostLookupOrder` in its `src/net/conf.go`), but stricter
/// where an action in brackets ends the search early.
package struct NameServices: Hashable, Sendable {
  /// Facts about the machine other than its files.
  package struct MachineFacts: Hashable, Sendable {
    /// The host name; empty if it is unknown.
    package var hostName = ""
    /// Whether `/etc/mdns.allow` exists, with which mDNS may resolve names other than `.local`.
    var allowsOtherNamesByMDNS = false
    /// Whether an environment variable affects lookups: `LOCALDOMAIN`, `RES_OPTIONS` or `HOSTALIASES`.
    var hasVariables = false
    /// Whether all files could be read, and ``ResolverConfiguration/isUnderstood`` is true.
    var isConfigurationUnderstood = true

    /// A machine with default settings.
    package init() {}
  }

  /// The services in their order, or nil if the line is invalid.
  private let services: [NameService]?
  private let machine: MachineFacts

  /// Parses the file.
  ///
  /// - Parameters:
  ///   - text: The contents of `/etc/nsswitch.conf`; nil if there is none.
  ///   - machine: Facts about the machine.
  package init(_ text: String?, _ machine: MachineFacts = MachineFacts()) {
    self.machine = machine
    var lines: [Substring] = []
    for line in (text ?? "").split(whereSeparator: \.isNewline) {
      let line = line.prefix { $0 != "#" }
      let words = line.drop(while: \.isWhitespace)
      let name = words.prefix { !$0.isWhitespace && $0 != ":" }
      // glibc accepts it without the colon, too.
      if name == "hosts" { lines.append(words[name.endIndex...].drop { $0.isWhitespace || $0 == ":" }) }
    }
    switch lines.count {
    // The default of glibc without a line.
    case 0: services = NameService.list("files dns")
    case 1: services = NameService.list(lines[0])
    default: services = nil
    }
  }

  /// The way to resolve a name.
  ///
  /// - Parameter host: A name, not an address.
  /// - Returns: The route.
  package func route(of host: String) -> NameRoute {
    guard let services, machine.isConfigurationUnderstood, !machine.hasVariables, host.isPlainName
    else { return .system }
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    var sources: [AresChannel.Source] = []
    // Whether an action of an earlier service may end the search; this matters only if another of our
    // services follows.
    var mayEnd = false
    for service in services {
      switch service.name {
      case "files", "dns":
        guard !mayEnd, service.returns(on: "success") else { return .system }
        mayEnd = ["notfound", "unavail", "tryagain"].contains { service.returns(on: $0) }
        let source = service.name == "files" ? AresChannel.Source.hostsFile : .dns
        if !sources.contains(source) { sources.append(source) }
      case "myhostname":
        // It reports any other name as not found.
        guard !isOwnName(name), !service.returns(on: "notfound") else { return .system }
      case let mdns where mdns.hasPrefix("mdns"):
        // It is not responsible for other names.
        guard !machine.allowsOtherNamesByMDNS, name != "local", !name.hasSuffix(".local"),
          !service.returns(on: "unavail")
        else { return .system }
      default: return .system
      }
    }
    return sources.isEmpty ? .system : .own(sources)
  }

  /// Whether a name refers to this machine only: `localhost` and its subdomains (RFC 6761 §6.3).
  ///
  /// No DNS server may be queried for it. c-ares queries for all but `localhost` itself.
  package static func isLocalhost(_ host: String) -> Bool {
    let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Whether nss-myhostname(8) resolves a name.
  private func isOwnName(_ name: String) -> Bool {
    let names = [
      "localhost.localdomain", "gateway", "_gateway", "_outbound", machine.hostName.lowercased(),
    ]
    return machine.hostName.isEmpty || names.contains(name) || Self.isLocalhost(name)
      || name.hasSuffix(".localhost.localdomain")
  }
}

extension String {
  /// Whether it contains only characters of host names; the C library handles all others.
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

/// A name service, and the actions for its results.
private struct NameService: Hashable {
  let name: String
  /// The statuses that end the search.
  private var returning: Set<String> = ["success"]

  private static let statuses: Set<String> = ["success", "notfound", "unavail", "tryagain"]

  private init(_ name: Substring) {
    self.name = String(name)
  }

  func returns(on status: String) -> Bool { returning.contains(status) }

  /// The services in a line, or nil if it is invalid.
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

  /// Adds the actions in brackets, such as `!UNAVAIL=return`.
  ///
  /// - Returns: Whether they are valid.
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

extension NameServices {
  /// The name services of this machine.
  ///
  /// - Parameter configuration: The contents of its resolv.conf(5).
  /// - Returns: Its name services.
  /// - Throws: `FileError` if a resource is exhausted.
  package static func ofMachine(_ configuration: ResolverConfiguration) throws(FileError) -> NameServices {
    var machine = MachineFacts()
    machine.hostName = ResolverConfiguration.machineName
    machine.allowsOtherNamesByMDNS = unsafe access("/etc/mdns.allow", F_OK) == 0
    let variables = ["LOCALDOMAIN", "RES_OPTIONS", "HOSTALIASES"]
    machine.hasVariables = variables.contains { name in unsafe getenv(name) != nil }
    machine.isConfigurationUnderstood = configuration.isUnderstood
    do {
      let bytes = try FileReading.bytes(of: "/etc/nsswitch.conf", limit: 1 << 20, .regularFiles)
      return NameServices(String(decoding: bytes, as: UTF8.self), machine)
    } catch {
      if error.isShortage { throw error }
      // If the file cannot be read, the C library does the lookups.
      if !error.isAbsence { machine.isConfigurationUnderstood = false }
      return NameServices(nil, machine)
    }
  }
}
