import BenchComparisons
import CYardsticks
import FoundationEssentials
import PortalAnalysis
import ProbeCore

/// Measures the analysis of a response, compared with gumbo parsing its page.
///
/// The arguments are files with pages; generated pages are added. `--smoke` analyzes every page once, checks
/// the results, and prints no times; `--first` only prints the time of the first analysis in a process.
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
    if isFirst, let page = pages.first { return try printFirst(page.page) }
    for size in [1_000, 10_000, 50_000, 250_000] {
      pages.append((name: "generated, \(kilobytes(size))", page: portalPage(of: size)))
    }
    let comparisons = try pages.map { try analyzing($0.page, $0.name) }
    for comparison in comparisons where !comparison.isRight() {
      fatalError("wrong result: \(comparison.name)")
    }
    guard !isSmoke else {
      print("\(comparisons.count) comparisons, all results right")
      return
    }
    printTable(comparisons) { $0.ours / $0.yardstick }
  }

  private static func analyzing(_ page: [UInt8], _ name: String) throws -> Comparison {
    let url = try ProbeURL("http://captive.example/")
    let response = ProbeResponse(
      url: url, head: HTTPResponseHead(status: 200, fields: ["Content-Type": "text/html; charset=utf-8"]),
      body: page)
    return Comparison(
      name: "analysis, \(name)", bar: "≤ 3",
      isRight: { analyze(response, url).likeness != 0 && parse(page) },
      ours: { analyze(response, url).likeness != 0 }, yardstick: { parse(page) })
  }

  private static func analyze(_ response: ProbeResponse, _ url: ProbeURL) -> ResponseAnalysis {
    ResponseAnalysis(of: response, asked: url) { $0 == .http ? .plaintext : .encrypted }
  }

  private static func parse(_ page: [UInt8]) -> Bool {
    unsafe page.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe yardstick_parse_html(start, bytes.count) != 0
    }
  }

  private static func printFirst(_ page: [UInt8]) throws {
    let start = yardstick_now()
    _ = try analyzing(page, "").ours()
    print("the first analysis of a process: \((yardstick_now() - start) / 1000) µs")
  }

  private static func kilobytes(_ bytes: Int) -> String { "\((bytes + 500) / 1000) KB" }
}
