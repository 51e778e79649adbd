/// Why the kernel could not be asked about the network.
package struct NetlinkError: Error, Hashable, Sendable {
  /// The system's error number, such as EPERM where a sandbox does not allow it.
  package var systemCode: Int32
  /// What was tried, in words, such as "open a netlink socket".
  package var action: String

  /// An error.
  package init(_ action: String, systemCode: Int32) {
    self.action = action
    self.systemCode = systemCode
  }
}
