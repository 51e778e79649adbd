import Foundation
import TestSupport
import Testing

import ProbeBase
@testable import ProbeCore

/// The addresses at which clouds serve a machine's metadata.
@Suite struct MetadataServiceTests {
  /// The rules of `probekit serve` without options.
  private let served: TargetRules = {
    var rules = TargetRules(allowsPrivate: true)
    rules.refusesLinkLocal = true
    return rules
  }()

  @Test func everyServiceHasASourceAndIsRefused() throws {
    #expect(MetadataService.all.count > 10)
    for service in MetadataService.all {
      #expect(service.source.hasPrefix("https://") && !service.provider.isEmpty)
      #expect(service.block.address.bits != 0, "the text of an address is wrong: \(service)")
      let address = service.block.address
      #expect(served.refusal(of: address) != nil && TargetRules().refusal(of: address) != nil, "\(address)")
      #expect(address.reach == .link && address.isSpecialPurpose)
    }
  }

  /// The documented addresses are those that are refused.
  @Test func theDocumentationListsAllOfThem() throws {
    let root = projectRoot
    let page = try String(contentsOf: root.appending(path: "docs/scan.md"), encoding: .utf8)
    for service in MetadataService.all {
      #expect(page.contains("`\(service.block)` (\(service.provider))"), "\(service.block)")
    }
  }

  /// Each address in each form that leads to it: the positions are those of the standards, computed byte by byte.
  @Test func everyFormOfAnIPv4AddressIsRefused() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var numbers = SeededNumbers(seed: seed)
    for address in MetadataService.addressesV4 {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: address.bits >> (24 - 8 * $0)) }
      for (name, prefix, positions) in Self.forms {
        // The bytes that the form leaves open, such as those of the network's prefix.
        var whole = prefix.map { $0 ?? UInt8.random(in: 0...255, using: &numbers) }
        for (byte, position) in zip(bytes, positions) {
          whole[position] = name.hasPrefix("Teredo client") ? ~byte : byte
        }
        let embedded = IPAddress(v6: whole.reduce(0) { $0 << 8 | UInt128($1) })
        #expect(served.refusal(of: embedded) != nil, "\(name): \(embedded), seed \(seed)")
        #expect(TargetRules().refusal(of: embedded) != nil, "\(name): \(embedded), seed \(seed)")
      }
    }
  }

  /// The forms: the bytes that are fixed, and the positions of the four bytes of the IPv4 address.
  private static let forms: [(name: String, bytes: [UInt8?], positions: [Int])] = {
    func bytes(_ start: [UInt8?], then rest: [UInt8?] = []) -> [UInt8?] {
      start + [UInt8?](repeating: nil, count: 16 - start.count - rest.count) + rest
    }
    let zeros = [UInt8?](repeating: 0, count: 12)
    let local: [UInt8?] = [0, 0x64, 0xFF, 0x9B, 0, 1]
    var forms: [(String, [UInt8?], [Int])] = [
      ("IPv4-mapped (RFC 4291 §2.5.5.2)", bytes(Array(zeros.prefix(10)) + [0xFF, 0xFF]), [12, 13, 14, 15]),
      ("IPv4-compatible (RFC 4291 §2.5.5.1)", bytes(zeros), [12, 13, 14, 15]),
      (
        "IPv4-translated (RFC 2765 §2.1)", bytes(Array(zeros.prefix(8)) + [0xFF, 0xFF, 0, 0]),
        [12, 13, 14, 15]
      ),
      ("NAT64 (RFC 6052 §2.1)", bytes([0, 0x64, 0xFF, 0x9B] + Array(zeros.prefix(8))), [12, 13, 14, 15]),
      ("6to4 (RFC 3056 §2)", bytes([0x20, 0x02]), [2, 3, 4, 5]),
      ("Teredo server (RFC 4380 §4)", bytes([0x20, 0x01, 0, 0]), [4, 5, 6, 7]),
      ("Teredo client (RFC 4380 §4)", bytes([0x20, 0x01, 0, 0]), [12, 13, 14, 15]),
    ]
    for first in [UInt8(0), 2] {
      let identifier: [UInt8?] = [first, 0, 0x5E, 0xFE, nil, nil, nil, nil]
      forms.append(("ISATAP (RFC 5214 §6.1)", bytes([0x2A], then: identifier), [12, 13, 14, 15]))
    }
    // RFC 6052 §2.2: byte 8 is not used.
    let positions = [
      32: [4, 5, 6, 7], 40: [5, 6, 7, 9], 48: [6, 7, 9, 10], 56: [7, 9, 10, 11], 64: [9, 10, 11, 12],
      96: [12, 13, 14, 15],
    ]
    for (length, indices) in positions {
      forms.append(("NAT64 with a prefix of a network, /\(length)", bytes([0x2A, 0x01]), indices))
      guard length >= 48 else { continue }
      forms.append(("NAT64 (RFC 8215), /\(length)", bytes(local), indices))
    }
    return forms
  }()
}
