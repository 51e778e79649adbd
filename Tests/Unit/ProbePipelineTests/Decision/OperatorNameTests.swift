import ProbeCore
import Testing

@testable import ProbePipeline

@Suite struct OperatorNameTests {
  static let same = [
    ("www.apple.com", "captive.apple.com"), ("apple.com", "a.b.c.apple.com"), ("www.a.co.uk", "a.co.uk"),
    ("x.a.com.br", "y.a.com.br"), ("a.b.de", "c.b.de"), ("co.uk", "co.uk"), ("localhost", "localhost"),
    ("192.0.2.1", "192.0.2.1"), ("a.co.example", "b.co.example"), ("a.com.com", "b.com.com"),
    ("www.apple.com.", "captive.apple.com"), ("localhost.", "localhost"),
    ("a.shop.kawasaki.jp", "b.a.shop.kawasaki.jp"),
    ("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
  ]
  static let different = [
    ("www.apple.com", "www.google.com"), ("a.co.uk", "b.co.uk"), ("a.com.br", "b.com.br"),
    ("a.ac.jp", "b.ac.jp"), ("a.org", "a.net"), ("192.0.2.1", "192.0.2.2"), ("10.1.2.3", "11.1.2.3"),
    ("2001:db8::1", "2001:db8::2"), ("localhost", "router"),
    // Suffixes that no rule of thumb knows.
    ("a.github.io", "b.github.io"), ("a.nhs.uk", "b.nhs.uk"), ("a.gob.mx", "b.gob.mx"),
    ("a.www.ck", "b.any.ck"),
    ("a.xn--55qx5d.cn", "b.xn--55qx5d.cn"), ("co.uk", "a.co.uk"),
  ]

  @Test(arguments: same) func hostsOfOneDomainShareAnOperator(_ left: String, _ right: String) {
    #expect(OperatorName(ofHost: left) == OperatorName(ofHost: right))
  }

  @Test(arguments: different) func hostsOfDifferentDomainsDoNotShareOne(_ left: String, _ right: String) {
    #expect(OperatorName(ofHost: left) != OperatorName(ofHost: right))
  }

  @Test func portSchemeAndCaseDoNotMatter() {
    let names = ["http://a.example/", "https://B.A.EXAMPLE:8443/x?y", "tcp://a.example:25"].map {
      OperatorName(requestedBy: Seen.accepted($0))
    }
    #expect(Set(names).count == 1)
  }

  @Test func aNonURLIsASeparateOperator() {
    let names = ["not a URL", "nor this", ""].map { OperatorName(requestedBy: Seen.accepted($0)) }
    #expect(Set(names).count == 3)
  }
}
