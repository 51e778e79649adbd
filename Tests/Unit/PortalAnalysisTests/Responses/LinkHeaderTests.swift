import Testing

@testable import PortalAnalysis

@Suite struct LinkHeaderTests {
  @Test(arguments: [
    ("</in>; rel=captive-portal", ["/in: captive-portal"]),
    ("<http://a/>;rel=\"login\"", ["http://a/: login"]),
    ("</in> ; REL = \"Login  Other\" ; title=x", ["/in: login other"]),
    ("</a>; rel=next, </b>; rel=login", ["/a: next", "/b: login"]),
    ("</a>;rel=x,</b>;rel=y", ["/a: x", "/b: y"]),
    ("</a>; title=\"x, </b>; rel=login\"; rel=y", ["/a: y"]), ("</a>; rel=x; rel=login", ["/a: x"]),
    ("</a>; crossorigin; rel=x", ["/a: x"]), ("</a>", ["/a: "]), ("</a>; rel=", ["/a: "]),
    ("<>; rel=x", [": x"]),
    ("</a>; title*=UTF-8''x; rel=y", ["/a: y"]), ("</a?b=1,2;c>; rel=x", ["/a?b=1,2;c: x"]),
    // Invalid links are skipped.
    ("", []), ("<", []), ("</a; rel=x", []), ("/a; rel=x", []), ("rel=x", []), ("</a>; rel=\"x", ["/a: x"]),
    ("</a> rel=x", ["/a: "]), ("</a>;;; rel=x", ["/a: x"]), ("junk </a>; rel=x", ["/a: x"]),
    ("</a>; =x; rel=y", ["/a: y"]), ("</\u{202E}a>; rel=x", ["/\u{202E}a: x"]),
  ])
  func linksAreRead(_ value: String, _ expected: [String]) {
    let links = LinkHeader(value).links.map { "\($0.reference): \($0.relations.joined(separator: " "))" }
    #expect(links == expected)
  }

  @Test(arguments: ["<", "<>", "<>,", "<>;", "<>;a", "<>;a=\"", "<>;rel=\"x\",", ";", "\"", "=", "\0"])
  func theNumberOfLinksIsLimited(_ piece: String) {
    let links = LinkHeader(String(repeating: piece, count: 20_000)).links
    #expect(links.count <= 32)
    #expect(links.allSatisfy { $0.relations.count <= 1 })
  }
}
