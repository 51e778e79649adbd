@testable import ConnectivityMonitor
import FuzzSupport
import ProbeCore

/// Any bytes as messages of the kernel about interfaces, addresses and routes.
///
/// The last message about an interface or address counts, so that repeated messages change nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNetlink(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  checkWork(of: count) {
    var table = PathTable()
    table.read(bytes)
    let path = table.path
    check(path)
    table.read(bytes)
    precondition(table.path == path, "the same messages give another path")
    // Truncated messages may contain less, but are read.
    table = PathTable()
    table.read(Array(bytes.prefix(count / 2)))
    check(table.path)
  }
  return 0
}

private func check(_ path: NetworkPath) {
  precondition(path.internet.isEmpty && path.defaultRoutes.isEmpty, "messages alone make no route")
  let indices = path.interfaces.map(\.index)
  precondition(indices == Set(indices).sorted(), "interfaces \(indices)")
  for interface in path.interfaces {
    precondition(interface.index > 0 && !interface.name.isEmpty, "no interface: \(interface)")
    for address in interface.addresses {
      let width = address.address.family == .v4 ? 32 : 128
      precondition((0...width).contains(address.prefixLength), "a prefix of \(address.prefixLength)")
    }
    let keys = interface.addresses.map { AddressKey(address: $0.address, length: $0.prefixLength) }
    precondition(Set(keys).count == keys.count, "an address twice: \(interface.addresses)")
  }
}

private struct AddressKey: Hashable {
  var address: IPAddress
  var length: Int
}
