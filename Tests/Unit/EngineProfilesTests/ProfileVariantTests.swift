import EngineProfiles
import Foundation
import Testing

/// The profiles whose files are those of other profiles with a few changes.
struct ProfileVariantTests {
  /// A profile, the one that it varies, and the lines of the rules that it has instead of those of the other.
  struct Variant: CustomTestStringConvertible {
    let name: String
    let base: String
    let removed: Int
    let added: [String]
    var testDescription: String { name }

    init(_ name: String, of base: String, removes removed: Int, adds added: [String]) {
      self.name = name
      self.base = base
      self.removed = removed
      self.added = added
    }
  }

  static let variants = [
    Variant(
      "android-strict-dns", of: "android", removes: 0,
      adds: [
        "- when:", "partial:",
        "address: [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, \"fe80::/10\", \"fec0::/10\", \"fc00::/7\"]",
        "outcome: failed", "reason: android.privateAddress",
        "- when: { set: http, reason: android.privateAddress }", "verdict: offline",
      ]),
    Variant(
      "firefox-esr", of: "firefox", removes: 4,
      adds: [
        "userAgent: Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0",
        "urls: [http://detectportal.firefox.com/canonical.html]", "- when:", "all:", "- status: 200",
        "- equals:",
        #"text: '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'"#,
        "trim: false", "- when: { status: [200, 300-399, 511] }",
      ]),
    Variant(
      "networkmanager-arch", of: "networkmanager", removes: 1,
      adds: ["urls: [http://ping.archlinux.org/nm-check.txt]"]),
    Variant(
      "networkmanager-debian", of: "networkmanager", removes: 1,
      adds: ["urls: [http://network-test.debian.org/nm]"]),
    Variant(
      "networkmanager-fedora", of: "networkmanager", removes: 3,
      adds: [
        "urls: [http://fedoraproject.org/static/hotspot.txt]", "- when: { partial: { startsWith: OK } }",
        "- when: { partial: { not: { startsWith: OK } } }",
      ]),
    Variant(
      "networkmanager-kde", of: "networkmanager", removes: 2,
      adds: ["urls: [http://network-test.debian.org/nm]", "opens: http://networkcheck.kde.org"]),
    Variant(
      "networkmanager-ubuntu", of: "networkmanager", removes: 1,
      adds: ["urls: [http://connectivity-check.ubuntu.com/]"]),
  ]

  /// The lines of a profile's rules, without its comments, name and description.
  private static func rules(of name: String) throws -> [String] {
    let text = try #require(EngineProfile.named(name)).text
    let start = try #require(text.range(of: "\npolicy:")).lowerBound
    return text[start...].split(separator: "\n").map { String($0.drop { $0 == " " }) }
      .filter { !$0.hasPrefix("#") }
  }

  @Test(arguments: variants) func hasOnlyItsChanges(_ variant: Variant) throws {
    let change = try Self.rules(of: variant.name).difference(from: Self.rules(of: variant.base))
    var added: [String] = []
    for case .insert(_, let line, _) in change { added.append(line) }
    #expect(added == variant.added)
    #expect(change.removals.count == variant.removed)
  }

  @Test(arguments: variants) func hasADescriptionInLinesOfLimitedLength(_ variant: Variant) throws {
    let profile = try #require(EngineProfile.named(variant.name))
    #expect(profile.description != EngineProfile.named(variant.base)?.description)
    let lines = profile.text.split(separator: "\n").drop { $0 != "description: >-" }.dropFirst()
    for line in lines.prefix(while: { $0.hasPrefix("  ") }) { #expect(line.count <= 120, "\(line)") }
  }
}
