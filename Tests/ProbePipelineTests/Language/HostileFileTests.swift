import BundledPlugins
import Glibc
import ProbeCore
import ProbePipeline
import Testing

/// Files that are made to cost much, and do not; the benchmarks (`load`) have the same as large as a file can be.
@Suite struct HostileFileTests {
  private static let start = "version: 1\nname: x\nsets:\n  - name: web\n"

  /// By what they try.
  static let files: [(name: String, text: String)] = [
    (
      "aliases of aliases",
      "a: &a [x, x, x, x, x, x, x, x, x]\n"
        + (1...12).map { "k\($0): &k\($0) [" + list(of: $0 == 1 ? "*a" : "*k\($0 - 1)", 9) + "]\n" }.joined()
    ),
    (
      "aliases of URLs",
      start + "    urls: &u [https://a.example/]\n" + repeated("  - { name: b, urls: *u }\n", 2_000)
    ),
    ("lists in lists", "version: " + repeated("[", 5_000)),
    ("mappings in mappings", repeated("{a: ", 5_000)),
    ("blocks in blocks", (0..<50).map { repeated(" ", $0) + "a:\n" }.joined()),
    ("unknown keys", (0..<3_000).map { "key\($0): 1\n" }.joined()),
    ("the same key", repeated("version: 2\n", 4_500)),
    ("unknown keys of many lengths", (0..<50).map { repeated("t", $0) + "imeout: 1\n" }.joined()),
    ("a long text", "version: 1\nname: " + repeated("x", 50_000) + "\n"),
    ("a long key", repeated("x", 50_000) + ": 1\n"),
    ("a long quoted text", "name: \"" + repeated("\\u00e9", 8_000) + "\"\n"),
    ("a long line of mistakes", "sets: [" + repeated("x, ", 2_000) + "x]\n"),
    ("mistakes in ten thousand sets", "sets:\n" + repeated("  - { nam: x, url: 5 }\n", 500)),
    (
      "mistakes in ten thousand URLs",
      start + "    urls:\n" + repeated("      - { url: 'http:// x/', a: b }\n", 500)
    ),
    (
      "ten thousand bad patterns",
      start + "    urls:\n" + repeated("      - { url: 'https://a/', validate: { matches: '(' } }\n", 500)
    ),
    (
      "ten thousand patterns",
      start + "    urls:\n"
        + (0..<500).map { "      - { url: 'https://a/', validate: { matches: '(a+)+\($0)$' } }\n" }
        .joined()
    ),
    (
      "a pattern that grows",
      start + "    urls: ['https://a/']\n    validate: { matches: '" + repeated("(", 12) + "a"
        + repeated("{1,99})", 12) + "' }\n"
    ),
    (
      "a long pattern",
      start + "    urls: ['https://a/']\n    validate: { matches: '" + repeated("(a|b)*", 7_500) + "' }\n"
    ),
    (
      "conditions in conditions",
      start + "    urls: ['https://a/']\n    validate: " + repeated("{ not: ", 60) + "{ status: 5 }"
        + repeated(" }", 60) + "\n"
    ),
    (
      "a wide tree of conditions",
      start + "    urls: ['https://a/']\n    validate: { all: ["
        + repeated("{ any: [{ contains: x }, { cont: y }] }, ", 450) + "{ status: 204 }] }\n"
    ),
    (
      "statuses",
      start + "    urls: ['https://a/']\n    validate: { status: [" + repeated("99, ", 2_500) + "100] }\n"
    ),
    (
      "header fields",
      start + "    urls: ['https://a/']\n    request: { headers: {"
        + (0..<2_000).map { "n\($0): x, " }.joined() + "a: b } }\n"
    ),
    (
      "a long dialog",
      "policy: { https: optional }\n" + start + "    urls: ['tcp://a:1']\n    request: { dialog: ["
        + repeated("{ expect: { matches: '(' } }, ", 1_000) + "{ send: x }] }\n"
    ),
    (
      "rules of unknown sets",
      start + "    urls: ['https://a/']\ndecide:\n"
        + repeated("  - { when: { set: wbe, met: true }, verdict: online }\n", 600)
    ),
    (
      "sets of one name",
      "version: 1\nname: x\nsets:\n" + repeated("  - { name: a, urls: ['https://a/'] }\n", 750)
    ),
    ("commas and colons", "a: [" + repeated("x: y, a,b ", 2_500) + "]\n"),
    ("bytes of zero", repeated("\u{0}", 50_000)),
    ("tabs", repeated("a:\t1\n", 4_500)),
    ("more than can be read", repeated("# nothing\n", 200_000)),
    (
      "redirect settings for each URL",
      "request: { \(manySettings) }\n" + start + "    urls:\n"
        + repeated("      - https://a.example/\n", 1_500)
    ),
    (
      "a bad setting for each URL",
      "request: { method: 'G T', \(manySettings) }\n" + start + "    urls:\n"
        + repeated("      - https://a.example/\n", 1_500)
    ),
  ]

  private static let manySettings =
    "timeout: 1s, redirects: 1, retries: 1, userAgent: x, headers: { a: b, c: d }"

  /// The bundled plugins read each of them in bounded work, also in a build without optimisation.
  @Test(arguments: files.map(\.name))
  func aHostileFileCostsLittle(_ name: String) throws {
    let text = try #require(Self.files.first { $0.name == name }?.text)
    let loader = PipelineLoader(try .bundled)
    let before = threadTime()
    let loaded = loader.load(path: "f.yaml", bytes: Array(text.utf8))
    let seconds = threadTime() - before
    #expect(seconds < 2, "\(seconds) s")
    #expect(loaded.findings.count <= 1001)
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
  private static func list(of text: String, _ count: Int) -> String {
    Array(repeating: text, count: count).joined(separator: ", ")
  }

  /// The seconds that this thread has worked.
  private func threadTime() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
