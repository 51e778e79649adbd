internal import CProbeNetlink
internal import Glibc

/// A socket on which the kernel reports interfaces, addresses and routes (rtnetlink(7)).
package final class NetlinkSocket: Sendable {
  package enum Received: Hashable, Sendable {
    /// The number of bytes of messages.
    case bytes(Int)
    /// Nothing was received, or not within the timeout.
    case nothing
    /// Messages were lost for lack of buffer space: everything must be queried again.
    case lost
    /// The socket is no longer usable; the system error number.
    case failed(Int32)
  }

  /// The descriptor to poll.
  package let descriptor: Int32

  /// A socket for queries: receiving waits up to five seconds for a response.
  package convenience init() throws(NetlinkError) {
    try self.init(type: [SOCK_RAW, SOCK_CLOEXEC], groups: 0)
    // The kernel responds at once, or not at all.
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    // Unknown parts of a request are then errors, and the table in a route request is respected.
    var one: Int32 = 1
    unsafe setsockopt(descriptor, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &one, 4)
  }

  /// A socket that receives each change of interfaces, addresses, routes and rules; receiving does not wait.
  ///
  /// - Parameter room: The number of bytes that the kernel buffers, up to the system's limit. A message takes
  ///   some thousands of them, whatever its size.
  /// - Throws: ``NetlinkError`` if no descriptor is available, or such sockets are not permitted.
  package convenience init(room: Int) throws(NetlinkError) {
    let groups = [
      RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV4_ROUTE, RTNLGRP_IPV4_RULE, RTNLGRP_IPV6_IFADDR,
      RTNLGRP_IPV6_ROUTE, RTNLGRP_IPV6_RULE,
    ]
    try self.init(
      type: [SOCK_RAW, SOCK_CLOEXEC, SOCK_NONBLOCK], groups: groups.reduce(0) { $0 | 1 << ($1.rawValue - 1) })
    var size = Int32(clamping: room)
    // A network administrator may exceed the system's limit.
    if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, 4) != 0 {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
    }
  }

  private init(type: [__socket_type], groups: UInt32) throws(NetlinkError) {
    let opened = socket(
      AF_NETLINK, Int32(truncatingIfNeeded: type.reduce(0) { $0 | $1.rawValue }), NETLINK_ROUTE)
    guard opened >= 0 else { throw NetlinkError("open a netlink socket", systemCode: errno) }
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = groups
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(opened, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
      }
    }
    guard result == 0 else {
      let error = NetlinkError("listen to the kernel's messages about the network", systemCode: errno)
      close(opened)
      throw error
    }
    descriptor = opened
  }

  deinit {
    close(descriptor)
  }

  /// Sends a message to the kernel.
  package func send(_ bytes: [UInt8]) throws(NetlinkError) {
    // Without an address it is sent to the kernel.
    while unsafe Glibc.send(descriptor, bytes, bytes.count, 0) < 0 {
      guard errno == EINTR else { throw NetlinkError("ask the kernel about the network", systemCode: errno) }
    }
  }

  /// Receives the messages of one datagram.
  ///
  /// Messages from other processes are ignored: any process may send to a netlink socket, but only the kernel
  /// has the port number 0.
  package func receive(into buffer: inout [UInt8]) -> Received {
    while true {
      var sender = sockaddr_nl()
      var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
      let count = unsafe withUnsafeMutablePointer(to: &sender) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          // With MSG_TRUNC the result is the length of the datagram, not the number of bytes that fit.
          unsafe recvfrom(descriptor, &buffer, buffer.count, Int32(MSG_TRUNC), $0, &size)
        }
      }
      if count < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN: return .nothing
        case ENOBUFS: return .lost
        default: return .failed(errno)
        }
      }
      guard size == MemoryLayout<sockaddr_nl>.size, sender.nl_pid == 0 else { continue }
      return count <= buffer.count ? .bytes(count) : .lost
    }
  }
}
