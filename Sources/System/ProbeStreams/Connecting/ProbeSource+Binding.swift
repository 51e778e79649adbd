internal import Glibc
internal import ProbeBase
internal import ProbeSystem

/// The reason why a socket could not be opened.
enum SocketFailure: Error {
  /// The system's error.
  case system(Int32)
  /// The source interface or address does not exist or is unusable.
  case source
  /// The system does not permit this kind of socket to the process.
  case notPermitted
}

extension ProbeSource {
  /// Makes a socket send from the interface or address.
  ///
  /// - Throws: ``SocketFailure``.
  func bind(_ descriptor: Int32, for family: IPFamily) throws(SocketFailure) {
    switch kind {
    case .address(let address): try Self.bind(descriptor, to: address)
    case .interface(let name): try Self.bind(descriptor, toInterface: name, for: family)
    }
  }

  private static func bind(_ descriptor: Int32, to address: IPAddress) throws(SocketFailure) {
    let result = unsafe SocketAddress(address, port: 0).withSocketAddress {
      unsafe Glibc.bind(descriptor, $0, $1)
    }
    if result == 0 { return }
    switch errno {
    case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL, EACCES, EPERM: throw .source
    // For example, all ports are in use.
    case let error: throw .system(error)
    }
  }

  /// Binds to an interface; if the system reserves that for the superuser, binds to its address.
  private static func bind(
    _ descriptor: Int32, toInterface name: String, for family: IPFamily
  ) throws(SocketFailure) {
    let result = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(truncatingIfNeeded: name.utf8.count))
    if result == 0 { return }
    guard errno == EPERM, let address = address(ofInterface: name, family) else { throw .source }
    try bind(descriptor, to: address)
  }

  private static func address(ofInterface name: String, _ family: IPFamily) -> IPAddress? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var entry = unsafe list
    while let here = unsafe entry {
      unsafe entry = here.pointee.ifa_next
      guard unsafe String(cString: here.pointee.ifa_name) == name, let storage = unsafe here.pointee.ifa_addr,
        let address = unsafe IPAddress(socketAddress: storage), address.family == family
      else { continue }
      // A link-local address would need its zone.
      if address.reach == .network { return address }
    }
    return nil
  }
}
