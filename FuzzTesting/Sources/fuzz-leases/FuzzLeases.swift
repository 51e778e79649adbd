import FoundationEssentials
import FuzzSupport
import ProbeCore
@testable import PortalSurvey

/// Any bytes as a file of a DHCP client or a network manager, as the configuration of a client, and as the
/// text that a lease announces.
///
/// An announced text is limited, every other text is safe to print, and an expired lease announces nothing.
/// Only as many bytes are used as a text may have, and two beyond that limit.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLeases(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let all = unsafe UnsafeBufferPointer(start: start, count: count)
  let bytes = unsafe Array(all.prefix(Announcement.maximumLength + 2))
  checkWork(of: count) {
    checkFile(bytes)
    checkText(bytes)
  }
  return 0
}

/// The end of the leases that announce the bytes, in seconds since 1970.
private let end = 1_907_755_200
/// The duration of the leases, in seconds.
private let life: UInt8 = 100

/// The bytes as a file of each client, and as its configuration.
private func checkFile(_ bytes: [UInt8]) {
  let (dhclient, dhcpcd) = (DHCPClientConfiguration(dhclient: bytes), DHCPClientConfiguration(dhcpcd: bytes))
  precondition(dhclient == .init(dhclient: bytes) && dhcpcd == .init(dhcpcd: bytes), "a different result")
  func announcements(_ file: LeaseFile) -> [Announcement] {
    file.networkManager() + file.networkd(version: 254) + file.dhclient(nil) + file.dhclient(dhclient)
      + file.dhcpcdV4(nil) + file.dhcpcdV4(dhcpcd) + file.dhcpcdV6(nil) + file.dhcpcdV6(dhcpcd)
  }
  let origin = String(decoding: bytes.prefix(64), as: UTF8.self)
  var file = LeaseFile(bytes, origin: origin, now: Date(timeIntervalSince1970: Double(end)))
  file.written = file.now.addingTimeInterval(-Double(life))
  file.interface = bytes.count & 1 == 0 ? nil : "eth0"
  let paths = file.networkdConfigurationPaths
  precondition(paths.count <= 65 && paths.allSatisfy { $0.hasPrefix("/") }, "the paths \(paths)")
  let all = announcements(file)
  all.forEach(check)
  precondition(all == announcements(file), "different announcements")
  var changed = file
  changed.addresses = [IPAddress(v4: 0xC000_0209)]
  checkChange(from: all, to: announcements(changed), reason: LeaseFile.notInUse)
  // The time has no effect except that leases expire.
  changed = file
  changed.now = Date(timeIntervalSince1970: 1e15)
  checkChange(from: all, to: announcements(changed), reason: LeaseFile.expired)
}

/// Checks an announcement.
private func check(_ announcement: Announcement) {
  checkSafeToPrint(announcement.origin)
  if let reason = announcement.unknownReason { checkSafeToPrint(reason) }
  guard let text = announcement.text else { return }
  precondition(text.utf8.count <= Announcement.maximumLength, "a text of \(text.utf8.count) bytes")
}

/// Checks that announcements are the same, except those that are unknown now for this reason.
private func checkChange(from before: [Announcement], to after: [Announcement], reason: String) {
  precondition(before.count == after.count, "\(before.count) announcements, then \(after.count)")
  for (before, after) in zip(before, after) {
    precondition(before == after || after.unknownReason == reason, "\(before) becomes \(after)")
  }
}

/// The bytes as the text that leases of each client announce until they end.
private func checkText(_ bytes: [UInt8]) {
  // A NUL at the end is not part of a text.
  let value = Array(bytes.reversed().drop { $0 == 0 }.reversed())
  let whole = String(decoding: value, as: UTF8.self)
  let text = whole.utf8.count <= Announcement.maximumLength ? whole : nil
  precondition(Announcement.given(String(decoding: bytes, as: UTF8.self), by: whole).text == text)
  func check(_ lease: [UInt8], _ read: (LeaseFile) -> [Announcement]) {
    var file = LeaseFile(lease, origin: "", now: Date(timeIntervalSince1970: Double(end)))
    file.written = file.now.addingTimeInterval(-Double(life))
    let announced = read(file)
    precondition(announced.count == 1 && announced[0].text == text, "\(announced) announces \(value)")
    precondition(!announced[0].isFromOldLease, "\(announced) is old before its end")
    file.now += 1
    let late = read(file)
    precondition(late.allSatisfy { $0.unknownReason == LeaseFile.expired }, "\(late) after its end")
  }
  let quoted = [UInt8(ascii: "\"")] + bytes.flatMap(\.octalEscape) + [UInt8(ascii: "\"")]
  check(Array("lease { expire epoch \(end); option unknown-114 ".utf8) + quoted + Array("; }".utf8)) {
    $0.dhclient(nil)
  }
  if !bytes.isEmpty {
    let numbers = bytes.map { String($0, radix: 16) }.joined(separator: ":")
    let address = "iaaddr ::1 { starts \(end - Int(life)); max-life \(life); }"
    check(Array("lease6 { ia-na 0 { \(address) } option dhcp6.unknown-103 \(numbers); }".utf8)) {
      $0.dhclient(nil)
    }
  }
  check(packet(announcing: bytes)) { $0.dhcpcdV4(nil) }
  check(replyMessage(announcing: bytes)) { $0.dhcpcdV6(nil) }
}

/// A DHCPv4 packet, with as many options as the text needs (RFC 3396 §5).
private func packet(announcing text: [UInt8]) -> [UInt8] {
  var options: [UInt8] = [51, 4, 0, 0, 0, life]
  for start in stride(from: 0, to: max(text.count, 1), by: 255) {
    let part = text[start..<min(start + 255, text.count)]
    options += [114, UInt8(part.count)] + part
  }
  return [2] + [UInt8](repeating: 0, count: 235) + [99, 130, 83, 99] + options + [255]
}

/// A DHCPv6 Reply message with an address.
private func replyMessage(announcing text: [UInt8]) -> [UInt8] {
  func option(_ code: UInt8, _ value: [UInt8]) -> [UInt8] {
    [0, code, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
  }
  let address = option(5, [UInt8](repeating: 1, count: 20) + [0, 0, 0, life])
  return [7, 0, 0, 0] + option(3, [UInt8](repeating: 0, count: 12) + address) + option(103, text)
}

extension UInt8 {
  /// The byte in a quoted text of dhclient.
  fileprivate var octalEscape: [UInt8] {
    [UInt8(ascii: "\\")] + [6, 3, 0].map { UInt8(ascii: "0") + self >> $0 & 7 }
  }
}
