import BundledPlugins
import Glibc
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

/// The cost of finding the errors in hostile files.
@Suite struct FileCostTests {
  /// Files of a twentieth of the maximum size: quadratic growth is still evident.
  private static let files = HostileFiles(share: 20).all
  /// Text that is still searched again for each URL, so that the cost is its length times the number of URLs.
  private static let unbounded: Set = [
    "a method of many URLs", "a user agent of many URLs", "a bearer of many URLs",
  ]

  @Test func fileNamesAreUnique() {
    #expect(Set(Self.files.map(\.name)).count == Self.files.count)
  }

  /// The limit detects excessive cost, in multiples of an ordinary file with 2000 URLs.
  ///
  /// Concurrent tests slow down both measurements. A temporary slowdown of one is distinguished from a real
  /// cost by repetition: the minimum counts. The ordinary file is measured once for all files, and again only beside a
  /// file that seems to cost too much.
  @Test(.heavy, .serialized, arguments: Self.files.map(\.name).filter { !Self.unbounded.contains($0) })
  func hostileFilesHaveLimitedCost(_ name: String) throws {
    try Self.seeWhatItCosts(name)
  }

  private static func seeWhatItCosts(_ name: String) throws {
    let file = try #require(files.first { $0.name == name })
    let loader = PipelineLoader(try .bundled)
    let bytes = Array(file.text.utf8)
    let bound = isSanitized ? 150 : 7.5
    var (least, leastPlain) = (Double.infinity, plainTime)
    var rounds = 0
    repeat {
      let start = threadTime()
      #expect(loader.load(path: "f.yaml", bytes: bytes).findings().count <= 1001)
      least = min(least, threadTime() - start)
      rounds += 1
      if least < bound * leastPlain { return }
      leastPlain = rounds == 1 ? timeOfPlain() : min(leastPlain, timeOfPlain())
    } while least >= bound * leastPlain && rounds < 3
    #expect(least < bound * leastPlain, "\(least / leastPlain) times a plain file")
  }

  /// The shortest of several times that an ordinary file takes.
  private static let plainTime = (0..<3).reduce(Double.infinity) { least, _ in min(least, timeOfPlain()) }

  private static let plain = {
    let urls = (0..<2000).map { "  - https://host\($0).example/path\n" }.joined()
    return Array("version: 1\nname: x\nsets:\n- name: a\n  urls:\n\(urls)".utf8)
  }()

  /// The time that an ordinary file takes now; none if it cannot be read, so that no file seems cheap beside it.
  private static func timeOfPlain() -> Double {
    guard let plugins = try? PluginRegistry.bundled else { return 0 }
    let loader = PipelineLoader(plugins)
    let start = threadTime()
    let isUsable = loader.load(path: "f.yaml", bytes: plain).findings().isEmpty
    #expect(isUsable)
    return isUsable ? threadTime() - start : 0
  }

  @Test func onlyTheFirstErrorsAreSearchedAndReported() throws {
    let urls = String(repeating: "  - x\n", count: 5000)
    let findings = PipelineLoader(try .bundled).load(
      path: "f.yaml", bytes: Array("version: 1\nname: x\nsets:\n- name: a\n  urls:\n\(urls)".utf8)
    ).findings()
    #expect(findings.count == 1001)
    #expect(findings.first?.location == FileLocation(line: 6, column: 5))
    #expect(findings.last?.message == "too many errors: not everything was checked")
    #expect(!findings.contains { $0.message.contains("cannot be met") })
  }

  @Test func aLongAliasedTextCountsEachTime() throws {
    let text =
      "a: &a \(String(repeating: "x", count: 300_000))\nb: [\(Array(repeating: "*a", count: 15).joined(separator: ", "))]\n"
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    _ = SourceDocument.read(findings)
    #expect(findings.all.map(\.message) == ["the texts used by name have more than 4194304 bytes"])
  }

  @Test(arguments: [
    (100, nil), (101, "too many lines that start with %"),
  ])
  func directivesAreLimited(_ count: Int, _ message: String?) {
    let text = (0..<count).map { "%TAG !a\($0)! x\n" }.joined() + "---\nx\n"
    let findings = SourceFindings(SourceFile(path: "f.yaml", bytes: Array(text.utf8)))
    _ = SourceDocument.read(findings)
    #expect(findings.all.first?.message == message)
  }

  @Test(arguments: [
    ("headers: {\((0..<1000).map { "N\($0): x" }.joined(separator: ", "))}", nil),
    (
      "headers: {\((0..<1001).map { "N\($0): x" }.joined(separator: ", "))}",
      "1001 names are too many: use at most 1000"
    ),
    (
      "connectTo: [\(Array(repeating: "'a:1:b:2'", count: 1001).joined(separator: ", "))]",
      "1001 items are too many: use at most 1000"
    ),
    (
      "connectTo: [\(Array(repeating: "'a:1:b:2'", count: 6001).joined(separator: ", "))]",
      "connectTo is made of 6002 values, more than 6000: make it smaller"
    ),
  ])
  func theSizeOfAValueIsLimited(_ setting: String, _ mistake: String?) throws {
    let text =
      "version: 1\nname: x\nsets:\n- name: a\n  urls: ['https://a.example/']\n  request: { \(setting) }\n"
    let findings = PipelineLoader(try .bundled).load(path: "f.yaml", bytes: Array(text.utf8)).findings()
    #expect(
      findings.map { InvalidInput($0.message, remedy: $0.remedy).description }
        == (mistake.map { [$0] } ?? []))
  }

  @Test(arguments: [(1000, nil), (1001, "the dialog has 1001 steps, more than 1000")])
  func dialogStepsAreLimited(_ count: Int, _ message: String?) throws {
    let steps = String(repeating: "    - send: x\n", count: count)
    let text =
      "version: 1\nname: x\npolicy: { https: optional }\nsets:\n- name: a\n  urls: ['tcp://a.example:22']\n"
      + "  request:\n    dialog:\n\(steps)"
    let findings = PipelineLoader(try .bundled).load(path: "f.yaml", bytes: Array(text.utf8)).findings()
    #expect(findings.map(\.message) == (message.map { [$0] } ?? []))
  }

  /// Whether a sanitizer is in use, which makes everything many times slower.
  private static var isSanitized: Bool {
    unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }
}
