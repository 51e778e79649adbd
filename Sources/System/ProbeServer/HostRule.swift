package import ProbeBase

/// The hosts for which a service accepts requests.
///
/// A page of any site can make a browser send requests to loopback under the site's own name (DNS rebinding).
/// A service on a loopback address therefore accepts only names of this machine.
package struct HostRule: Hashable, Sendable {
  /// The accepted hosts in lower case, or nil for any.
  private let names: Set<String>?

  /// Any host, for a Unix socket: no browser connects to it.
  package static let any = HostRule(names: nil)

  private init(names: Set<String>?) {
    self.names = names
  }

  /// The rule for a service at an address.
  package init(for address: IPAddress) {
    names = address.isLoopback ? ["localhost", "127.0.0.1", "[::1]", address.bracketed] : nil
  }

  /// The reason for refusing a request, or nil if it is accepted.
  func fault(of request: HTTPServiceRequest) -> HTTPServiceFault? {
    guard let names, let other = request.hosts.first(where: { !names.contains($0.lowercased()) }) else {
      return nil
    }
    return HTTPServiceFault(
      status: 421, "the host \(Excerpt(other)) is not this service", fix: "use localhost or 127.0.0.1")
  }
}
