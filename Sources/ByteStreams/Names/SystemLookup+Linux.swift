internal import Ares
internal import CProbeShims
internal import Glibc
package import ProbeCore

/// Names looked up by the C library, getaddrinfo(3): what nsswitch.conf(5) names beyond the hosts file and
/// DNS.
///
/// It blocks for as long as the system is patient, so each lookup has a thread; at most 32 of them at a time
/// in the process. Others wait for their turn.
package enum SystemLookup {
  private static let queue = LookupQueue(threads: 32) { host, family in ask(host, family) }

  /// Looks a name up.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - family: The family of the addresses that are wanted; nil for both.
  ///   - done: Is called once, on another thread, or within ``PendingLookup/cancel()``. It gets the addresses
  ///     in the order in which to try them (RFC 6724 §6), without their zones; at least one.
  /// - Returns: The lookup, to cancel it.
  @discardableResult
  package static func addresses(
    of host: String, family: IPFamily?, _ done: @escaping @Sendable (Result<[IPAddress], NameError>) -> Void
  ) -> PendingLookup {
    queue.add(host, family, done)
  }

  private static func ask(_ host: String, _ family: IPFamily?) -> Result<[IPAddress], NameError> {
    var hints = unsafe addrinfo()
    // Each address once, not once for each kind of socket.
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_family =
      switch family {
      case .v4: AF_INET
      case .v6: AF_INET6
      case nil: AF_UNSPEC
      }
    var list: UnsafeMutablePointer<addrinfo>?
    errno = 0
    let result = unsafe getaddrinfo(host, nil, &hints, &list)
    guard result == 0 else { return .failure(NameError(resolver: result, systemCode: errno)) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe IPAddress(socketAddress: entry.pointee.ai_addr), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(.noSuchHost) : .success(addresses)
  }
}

extension NameError {
  /// What getaddrinfo(3) has failed with.
  ///
  /// - Parameters:
  ///   - code: What it returned.
  ///   - systemCode: What errno(3) was then.
  init(resolver code: Int32, systemCode: Int32) {
    // A machine without descriptors looks to it like one without DNS servers.
    let shortage = code == EAI_SYSTEM ? systemCode : Self.descriptorShortage
    switch shortage {
    case EMFILE, ENFILE: self = .noDescriptors(Self.words(shortage))
    case ENOMEM, ENOBUFS: self = .noMemory(Self.words(shortage))
    default:
      switch code {
      case EAI_NONAME, probe_no_address_of_family(): self = .noSuchHost
      case EAI_MEMORY: self = .noMemory(Self.words(ENOMEM))
      case EAI_SYSTEM: self = .failed(Self.words(systemCode))
      default:
        self = .failed(
          unsafe gai_strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code)")
      }
    }
  }

  private static func words(_ systemCode: Int32) -> String {
    unsafe strerror(systemCode).map { unsafe String(cString: $0).lowercased() } ?? "error \(systemCode)"
  }

  /// The error that opening one more descriptor ends in, or soon will, or 0; a lookup takes several.
  private static var descriptorShortage: Int32 {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    // A new descriptor is the lowest one free: all below it are taken.
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return UInt(descriptor) + 16 >= UInt(limit.rlim_cur) ? EMFILE : 0
  }
}
