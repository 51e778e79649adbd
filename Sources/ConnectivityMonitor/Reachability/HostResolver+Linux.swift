internal import CProbeShims
internal import Glibc
internal import Locking
internal import ProbeCore
internal import Threading

extension HostResolver {
  /// The system's own, getaddrinfo(3): it reads /etc/hosts, asks the servers of /etc/resolv.conf, or whoever else
  /// nsswitch.conf(5) names.
  ///
  /// Each lookup has a thread, because it blocks for as long as the system is patient. One that is cancelled ends at once;
  /// its thread does when the system has given up.
  public static let system = HostResolver { name in
    let first = FirstAnswer<Answer>()
    return await withTaskCancellationHandler {
      do throws(WorkerThread.NoThread) {
        try WorkerThread(named: "probekit-names") { first.give(Self.ask(name)) }.detach()
      } catch {
        first.give(.failed)
      }
      return await first.wait()
    } onCancel: {
      first.give(.failed)
    }
  }

  private static func ask(_ name: String) -> Answer {
    var hints = unsafe addrinfo()
    // Each address once, not once for each kind of socket.
    unsafe hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let result = unsafe getaddrinfo(name, nil, &hints, &list)
    guard result == 0 else {
      return result == EAI_NONAME || result == probe_no_address_of_family() ? .noSuchHost : .failed
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe IPAddress(entry.pointee.ai_addr), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .noSuchHost : .addresses(addresses)
  }
}

extension IPAddress {
  /// The address in a socket address, or nil when that is of another family.
  fileprivate init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address = unsafe address else { return nil }
    switch unsafe Int32(address.pointee.sa_family) {
    case AF_INET:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_addr.s_addr
      }
      self.init(v4: UInt32(bigEndian: bits))
    case AF_INET6:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        var bytes = unsafe pointer.pointee.sin6_addr
        return unsafe withUnsafeBytes(of: &bytes) { unsafe $0.loadUnaligned(as: UInt128.self) }
      }
      self.init(v6: UInt128(bigEndian: bits))
    default: return nil
    }
  }
}
