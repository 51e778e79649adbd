import BenchComparisons
import CYardsticks
import FoundationEssentials
import PortalAnalysis
import ProbeCore

/// Measures the analysis of an answer beside gumbo's own parse of its page.
///
/// The arguments are files with pages; generated pages come on top. `--smoke` analyses every page once, checks what
/// comes out, and prints no times; `--first` only tells what the very first analysis of a process costs.
@main
enum AnalysisBench {
  static func main() throws {
    var files = Array(CommandLine.arguments.dropFirst())
    let isSmoke = files.contains("--smoke")
    let isFirst = files.contains("--first")
    files.removeAll { $0.hasPrefix("--") }
    var pages = try files.map { path in
      let page = Array(try Data(contentsOf: URL(filePath: path)))
      let folder = path.split(separator: "/").dropLast().last ?? ""
      return (name: "\(folder), \(kilobytes(page.count))", page: page)
    }
    if isFirst, let page = pages.first { return try tellFirst(page.page) }
    for size in [1_000, 10_000, 50_000, 250_000] {
      pages.append((name: "generated, \(kilobytes(size))", page: portalPage(of: size)))
    }
    let comparisons = try pages.map { try analysing($0.page, $0.name) }
    for comparison in comparisons where !comparison.isRight() {
      fatalError("a wrong answer: \(comparison.name)")
    }
    guard !isSmoke else {
      print("\(comparisons.count) comparisons, every answer right")
      return
    }
    printTable(comparisons) { $0.ours / $0.yardstick }
  }

  private static func analysing(_ page: [UInt8], _ name: String) throws -> Comparison {
    let url = try ProbeURL("http://captive.example/")
    let answer = ProbeResponse(
      url: url, head: HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html; charset=utf-8"]),
      body: page)
    return Comparison(
      name: "analysis, \(name)", bar: "≤ 3",
      isRight: { analyse(answer, url).likeness != 0 && parse(page) },
      ours: { analyse(answer, url).likeness != 0 }, yardstick: { parse(page) })
  }

  private static func analyse(_ answer: ProbeResponse, _ url: ProbeURL) -> AnswerAnalysis {
    AnswerAnalysis(of: answer, asked: url) { $0 == .http ? .plaintext : .encrypted }
  }

  private static func parse(_ page: [UInt8]) -> Bool {
    unsafe page.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe yardstick_parse_html(start, bytes.count) != 0
    }
  }

  private static func tellFirst(_ page: [UInt8]) throws {
    let start = yardstick_now()
    _ = try analysing(page, "").ours()
    print("the first analysis of a process: \((yardstick_now() - start) / 1000) µs")
  }

  private static func kilobytes(_ bytes: Int) -> String { "\((bytes + 500) / 1000) KB" }
}
