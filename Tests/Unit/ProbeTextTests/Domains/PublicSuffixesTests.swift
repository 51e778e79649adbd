import Foundation
import ProbeText
import TestRequirements
import Testing

/// The list compared with the published algorithm (https://publicsuffix.org/list/), applied to Debian's copy of it.
@Suite(.heavy) struct PublicSuffixesTests {
  /// The rules of a list, and the published algorithm.
  private struct Rules {
    private var plain: Set<[Substring]> = []
    private var exceptions: Set<[Substring]> = []
    private(set) var texts: [String] = []
    /// The names directly above wildcards that no rule makes public suffixes.
    private(set) var parentsOfWildcards: Set<String> = []

    init(_ list: String) {
      for line in list.split(separator: "\n") where !line.hasPrefix("//") {
        guard let rule = line.split(whereSeparator: \.isWhitespace).first else { continue }
        texts.append(String(rule))
        if rule.hasPrefix("!") {
          exceptions.insert(rule.dropFirst().split(separator: "."))
        } else {
          plain.insert(rule.split(separator: "."))
        }
      }
      for rule in plain where rule.first == "*" {
        let parent = rule.dropFirst().joined(separator: ".")
        if suffix(of: parent) != parent { parentsOfWildcards.insert(parent) }
      }
    }

    /// The public suffix of a name in lower case.
    func suffix(of name: String) -> String {
      let labels = name.split(separator: ".")
      let tails = labels.indices.map { Array(labels[$0...]) }
      // An exception prevails, and loses its leftmost label.
      if let exception = tails.first(where: exceptions.contains) {
        return exception.dropFirst().joined(separator: ".")
      }
      // Of the others, the one with the most labels; "*" if there is none.
      let prevailing = tails.first { plain.contains($0) || plain.contains(["*"] + $0.dropFirst()) }
      return (prevailing ?? labels.suffix(1)).joined(separator: ".")
    }

    /// The public suffix and the label before it; nil for a public suffix.
    func registrableDomain(of name: String) -> String? {
      let count = suffix(of: name).split(separator: ".").count
      let labels = name.split(separator: ".")
      return labels.count > count ? labels.suffix(count + 1).joined(separator: ".") : nil
    }
  }

  private static let folder = "/usr/share/publicsuffix/public_suffix_list"

  private static func rules() throws -> Rules {
    guard let text = try? String(contentsOfFile: "\(folder).dat", encoding: .utf8) else {
      try skipTest("there is no \(folder).dat")
    }
    return Rules(text)
  }

  /// For each rule, the names that it is about and names above and below them.
  private static func names(of rules: Rules) -> Set<String> {
    var names: Set<String> = []
    for rule in rules.texts {
      let name = rule.replacing("*", with: "any").drop { $0 == "!" }
      names.formUnion(["\(name)", "one.\(name)", "two.one.\(name)", "three.two.one.\(name)"])
      if let stop = name.firstIndex(of: ".") { names.insert(String(name[stop...].dropFirst())) }
    }
    return names
  }

  @Test(arguments: ["dat", "dafsa"]) func everyRuleIsAppliedAsPublished(_ format: String) throws {
    let rules = try Self.rules()
    let list = try #require(PublicSuffixes(file: "\(Self.folder).\(format)"))
    let names = Self.names(of: rules)
    #expect(names.count > 30_000)
    var differences: Set<String> = []
    for name in names {
      let expected = rules.registrableDomain(of: name)
      let isSuffix = rules.suffix(of: name) == name
      guard list.registrableDomain(of: name) == expected, list.isPublicSuffix(name) == isSuffix else {
        differences.insert(name)
        continue
      }
      #expect(list.registrableDomain(of: name.uppercased() + ".") == expected, "\(name)")
      guard !name.utf8.allSatisfy({ $0 < 0x80 }), let ascii = try? DomainName.ascii(name) else { continue }
      #expect(list.registrableDomain(of: ascii) == (try expected.map(DomainName.ascii)), "\(name)")
    }
    // The library makes them public suffixes; in the algorithm they are not.
    #expect(differences == rules.parentsOfWildcards)
    #expect(differences.allSatisfy { list.registrableDomain(of: $0) == nil && list.isPublicSuffix($0) })
  }

  static let domains: [(host: String, domain: String?)] = [
    ("www.shop.co.uk", "shop.co.uk"), ("shop.co.uk", "shop.co.uk"), ("co.uk", nil), ("uk", nil),
    ("www.apple.com", "apple.com"), ("WWW.Apple.COM.", "apple.com"),
    ("a.b.c.d.e.f.g.h.i.j.apple.com", "apple.com"),
    ("page.user.github.io", "user.github.io"), ("github.io", nil), ("github.io.", nil),
    // A wildcard and its exception.
    ("a.b.c.ck", "b.c.ck"), ("c.ck", nil), ("ck", nil), ("www.ck", "www.ck"), ("x.www.ck", "www.ck"),
    ("city.kawasaki.jp", "city.kawasaki.jp"), ("a.city.kawasaki.jp", "city.kawasaki.jp"),
    ("other.kawasaki.jp", nil), ("x.other.kawasaki.jp", "x.other.kawasaki.jp"),
    // Names that are not ASCII, in both forms.
    ("www.食狮.公司.cn", "食狮.公司.cn"), ("公司.cn", nil),
    ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
    ("xn--55qx5d.cn", nil), ("пример.рф", "пример.рф"), ("www.ПРИМЕР.РФ", "пример.рф"),
    // No list has them.
    ("a.b.example", "b.example"), ("example", nil), ("localhost", nil), ("router.lan", "router.lan"),
    // No domain names.
    ("192.0.2.1", nil), ("192.0.2.1.", nil), ("2.1", nil), ("0x7f.0x1", nil), ("2001:db8::1", nil),
    ("::", nil),
    ("", nil), (".", nil), ("..", nil), (".com", nil), (".shop.com", nil), ("shop..com", nil),
    ("shop.com..", nil),
    ("shop.com\0.evil.example", nil),
  ]

  @Test(arguments: domains) func domainsOfHosts(_ host: String, _ domain: String?) {
    #expect(PublicSuffixes.standard.registrableDomain(of: host) == domain)
  }

  static let suffixes: [(name: String, isSuffix: Bool, isRegistrySuffix: Bool)] = [
    ("com", true, true), ("co.uk", true, true), ("CO.UK.", true, true), ("github.io", true, false),
    ("公司.cn", true, true), ("xn--55qx5d.cn", true, true), ("any.ck", true, true), ("www.ck", false, false),
    ("example", true, true), ("localhost", true, true), ("apple.com", false, false),
    ("192.0.2.1", false, false),
    ("1", false, false), ("::1", false, false), ("", false, false), (".", false, false),
    (".com", false, false),
  ]

  @Test(arguments: suffixes) func publicSuffixes(_ name: String, _ isSuffix: Bool, _ isRegistrySuffix: Bool) {
    #expect(PublicSuffixes.standard.isPublicSuffix(name) == isSuffix)
    #expect(PublicSuffixes.standard.isPublicSuffix(name, ofRegistry: true) == isRegistrySuffix)
  }

  /// A name of hundreds of labels is of a domain too, and takes no time to speak of.
  @Test func longNames() {
    let name = String(repeating: "a.", count: 100_000) + "shop.co.uk"
    #expect(PublicSuffixes.standard.registrableDomain(of: name) == "shop.co.uk")
  }

  @Test func aMissingFileIsNoList() {
    #expect(PublicSuffixes(file: "/nonexistent/list.dat") == nil)
  }
}
