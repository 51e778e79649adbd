import ProbePipeline

/// The report for programs: an object for a single run, an array for several.
struct JSONReporter: Reporter {
  var reportsProbes: Bool { false }

  func text(of runs: [ReportedRun]) throws -> String {
    let results = runs.map(\.result)
    if let only = results.first, results.count == 1 { return try JSONReport(only).text() }
    return try JSONReport(results).text()
  }
}
