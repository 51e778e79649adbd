import ProbeCore
import TestRequirements
import TestSupport
import Testing

/// Properties of every text, checked with many combinations of relevant pieces, the same in each run.
@Suite(.heavy) struct ProbeURLPropertyTests {
  static let pieces = [
    "http", "https", "HTTP", "tcp", "file", "javascript", ":", "://", ":///", "/", "//", "\\", "@", "?", "#",
    ".",
    "..", "%2e", "%2E%2e", "%", "%zz", "host", "example.com", "www.", "user:pass", "[", "]", "::1", "[::1]",
    "192.0.2.1", "1.2.3", ":80", ":0", ":70000", " ", "\t", "\n", "\u{0}", "\u{7F}", "ü", "🙂", "\"", "<", "|",
    "a", "0x7f", "xn--", "-", "_", "~", "&", "=", ";",
  ]

  static func texts(seed: UInt64) -> [String] {
    var generator = SeededNumbers(seed: seed)
    return (0..<5000).map { _ in
      let count = Int.random(in: 0...10, using: &generator)
      return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
    }
  }

  /// Different texts for each base.
  @Test(
    arguments: zip(
      ["https://probe.example:8443/dir/page?q#f", "http://a", "tcp://[::1]:25", "http://h/a/b/"],
      UInt64(11)...14))
  func resolvedReferencesAreURLs(_ base: String, seed: UInt64) throws {
    let base = try ProbeURL(base)
    for text in Self.texts(seed: seed) {
      guard let url = base.resolve(text) else { continue }
      #expect((try? ProbeURL(url.string)) == url, "\(text.debugDescription)")
      #expect(url.string.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text.debugDescription)")
      #expect(url.path.isEmpty || url.path.hasPrefix("/"), "\(text.debugDescription)")
      #expect(!url.host.contains("@") && !url.host.isEmpty, "\(text.debugDescription)")
      #expect(!url.isOffHost(url), "\(text.debugDescription)")
    }
  }

  @Test func validURLsResolveToThemselves() throws {
    let base = try ProbeURL("tcp://other.example:1/")
    for text in Self.texts(seed: 2) + Self.texts(seed: 3).map({ "https://" + $0 }) {
      guard let url = try? ProbeURL(text) else { continue }
      #expect((try? ProbeURL(url.string)) == url, "\(text.debugDescription)")
      let resolved = base.resolve(url.string)
      #expect(resolved?.host == url.host, "\(text.debugDescription)")
      // Resolving removes dot segments, also those that are percent-encoded.
      if !url.path.contains(where: ".%".contains) { #expect(resolved == url, "\(text.debugDescription)") }
    }
  }
}
