internal import ProbeBase
internal import ProbeSystem

/// A listening socket of a service, and the accepted hosts of its requests.
struct ServiceListener: Sendable {
  let socket: any AcceptingSocket
  /// The place, with the actual port.
  let place: HTTPService.Place
  let hosts: HostRule

  /// Listens at a place.
  ///
  /// - Throws: `InvalidInput` if that fails.
  init(at place: HTTPService.Place) throws(InvalidInput) {
    switch place {
    case .tcp(let wanted):
      do throws(ListeningSocket.Failure) {
        let listening = try ListeningSocket(wanted)
        try listening.start(.open)
        self.place = .tcp(listening.address)
        socket = listening
      } catch {
        throw InvalidInput(error.message)
      }
      hosts = HostRule(for: wanted.address)
    case .unix(let path):
      self.place = place
      socket = try LocalListeningSocket(path: path)
      hosts = .any
    case .inherited(let descriptor):
      let inherited = try InheritedListeningSocket(descriptor)
      socket = inherited
      self.place = inherited.address.map { .tcp($0) } ?? place
      hosts = inherited.address.map { HostRule(for: $0.address) } ?? .any
    }
  }
}
