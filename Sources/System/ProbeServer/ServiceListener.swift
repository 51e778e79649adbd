internal import ProbeBase
internal import ProbeSystem

/// A listening socket of a service, and the accepted hosts of its requests.
struct ServiceListener: Sendable {
  let socket: any AcceptingSocket
  /// The address, with the actual port.
  let address: HTTPService.Address
  let hosts: HostRule

  /// Listens on an address.
  ///
  /// - Throws: `InvalidInput` if that fails.
  init(at address: HTTPService.Address) throws(InvalidInput) {
    switch address {
    case .tcp(let wanted):
      do throws(ListeningSocket.Failure) {
        let listening = try ListeningSocket(wanted)
        try listening.start(.open)
        self.address = .tcp(listening.address)
        socket = listening
      } catch {
        throw InvalidInput(error.message)
      }
      hosts = HostRule(for: wanted.address)
    case .unix(let path):
      self.address = address
      socket = try LocalListeningSocket(path: path)
      hosts = .any
    case .inherited(let descriptor):
      let inherited = try InheritedListeningSocket(descriptor)
      socket = inherited
      self.address = inherited.address.map { .tcp($0) } ?? address
      hosts = inherited.address.map { HostRule(for: $0.address) } ?? .any
    }
  }
}
