import ProbeTLS
import Testing

/// The hashes are from Python's `crypt`, with the lowest cost.
@Suite struct BcryptHashTests {
  private static let salt = "$04$abcdefghijklmnopqrstuu"
  private static let secret = "2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"

  @Test(arguments: ["$2a", "$2b", "$2y"]) func aPasswordMatchesItsHash(_ version: String) throws {
    let hash = try #require(BcryptHash(version + Self.salt + Self.secret))
    #expect(hash.cost == 4)
    #expect(hash.matches(Array("secret".utf8)))
    for other in ["", "Secret", "secret ", "secre"] { #expect(!hash.matches(Array(other.utf8))) }
  }

  @Test(arguments: [
    ("", "ubyCG3zY1GIXMyxfivm.ClDiInHzxjiq"), ("pässwört", "u1cDoLWDR/WUf1WNLV3Klgn6BEq1nueu"),
    (String(repeating: "x", count: 72), "ubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"),
    // As in every bcrypt implementation, the rest of the password is ignored.
    (String(repeating: "x", count: 80), "ubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"),
    (String(repeating: "x", count: 5000), "ubzadhGtS2zEF.gu0yd0opP6cVzb.e0i"),
  ])
  func unusualPasswordsMatchTheirHash(_ password: String, _ digest: String) throws {
    let hash = try #require(BcryptHash("$2y\(Self.salt.dropLast())\(digest)"))
    #expect(hash.matches(Array(password.utf8)))
  }

  @Test func aPasswordDoesNotEndAtNUL() throws {
    let hash = try #require(BcryptHash("$2y" + Self.salt + Self.secret))
    #expect(!hash.matches(Array("secret\0".utf8)) && !hash.matches(Array("secret\0more".utf8)))
    let empty = try #require(BcryptHash("$2y\(Self.salt.dropLast())ubyCG3zY1GIXMyxfivm.ClDiInHzxjiq"))
    #expect(!empty.matches([0]))
  }

  @Test(arguments: [
    "", "secret", "$2y$04$", "$1$abc$def", "$2$04$abcdefghijklmnopqrstuu\(secret)",
    "$2x$04$abcdefghijklmnopqrstuu\(secret)", "$2y$03$abcdefghijklmnopqrstuu\(secret)",
    "$2y$32$abcdefghijklmnopqrstuu\(secret)", "$2y$4$$abcdefghijklmnopqrstuu\(secret)",
    "$2y$04$abcdefghijklmnopqrstuu\(secret)x", "$2y$04$abcdefghijklmnopqrstu:\(secret)",
  ])
  func otherTextsAreNotHashes(_ text: String) { #expect(BcryptHash(text) == nil) }

  @Test func itIsNotShown() throws {
    let hash = try #require(BcryptHash("$2y" + Self.salt + Self.secret))
    var text = ""
    dump(hash, to: &text)
    #expect("\(hash)" == "<redacted>" && !text.contains("abcdef"))
  }
}
