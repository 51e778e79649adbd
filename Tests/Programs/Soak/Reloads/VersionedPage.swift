import ProbeCore
import TestSupport

/// A fixture with a single page, each line of which has the page's version.
struct VersionedPage {
  private let number: Int
  private let lines: Int
  private let isSlow: Bool

  /// A page of random length, which may be sent slowly.
  init(number: Int, _ numbers: inout SeededNumbers) {
    self.number = number
    lines = numbers.size(1...3000)
    isSlow = numbers.once(in: 3)
  }

  /// Writes its files instead of those of the version before.
  func write(into folder: TemporaryFolder) throws {
    let line = "version \(number)\n"
    try folder.write("page.txt", String(repeating: line, count: lines))
    let fault = isSlow ? "\n    fault: { kind: slow-body, bytes: 4000, every: 2ms }" : ""
    try folder.write(
      "fixture.yaml",
      """
      version: 1
      name: versions
      source: { kind: synthetic, reference: "made up" }
      routes:
        - id: page
          respond: { status: 200, headers: ["X-Version: \(number)", "X-Lines: \(lines)"], body: page.txt }\(fault)

      """)
  }

  /// The version of a response, or nil if it is not one complete page of one version.
  static func version(version: Int?, lines: Int?, _ body: [UInt8]) -> Int? {
    guard let version, let lines else { return nil }
    let whole = Array(String(repeating: "version \(version)\n", count: lines).utf8)
    return body == whole ? version : nil
  }
}
