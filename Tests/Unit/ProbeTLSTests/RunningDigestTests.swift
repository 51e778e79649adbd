import Testing

@testable import ProbeTLS

/// A digest of bytes that are added in pieces.
@Suite struct RunningDigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    // From the examples of FIPS 180-4.
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func knownDigestsAreComputed(_ text: String, digest: String) {
    for piece in [1, 3, 64, 100] {
      var running = RunningDigest()
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        running.add(rest.prefix(piece))
        running.add([])
        rest = rest.dropFirst(piece)
      }
      #expect(running.finish() == digest)
      // It starts over.
      running.add(Array("abc".utf8)[...])
      #expect(running.finish() == MessageDigest.sha256.hexadecimal(of: Array("abc".utf8)))
    }
  }
}
