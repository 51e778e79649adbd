internal import ByteStreams
internal import ProbeCore

extension HostResolver {
  /// The system's own, getaddrinfo(3): it reads /etc/hosts, asks the servers of /etc/resolv.conf, or whatever else
  /// nsswitch.conf(5) names.
  ///
  /// A lookup that is cancelled ends at once; its thread does when the system has given up.
  public static let system = HostResolver { name in
    switch await SystemLookup.addresses(of: name, family: nil, within: nil) {
    case .success(let addresses): .addresses(addresses)
    case .failure(.noSuchHost): .noSuchHost
    case .failure, nil: .failed
    }
  }
}
