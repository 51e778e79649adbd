import ProbeCore
import ProbeReporting

/// The page about the latest probes.
enum ExporterPages {
  /// The page as HTML.
  ///
  /// - Parameters:
  ///   - entries: The probes, the oldest first.
  ///   - pipelines: The names of the pipelines, each of which is a module without a target.
  /// - Returns: The page.
  static func home(_ entries: [ProbeHistory.Entry], pipelines: [String]) -> String {
    var page = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>ProbeKit</title>
      <style>body{font-family:sans-serif;margin:2em}td,th{padding:.2em .8em;text-align:left}
      .failed{font-weight:bold}</style></head>
      <body><h1>ProbeKit</h1>
      <p><a href="metrics">Metrics</a> · <a href="config">Configuration</a></p>

      """
    if !pipelines.isEmpty {
      let links = pipelines.map {
        "<li><a href=\"probe?module=\($0.utf8.percentEncodedComponent())\">\($0.escapedForHTML)</a></li>"
      }
      page += "<h2>Pipelines</h2>\n<ul>\(links.joined())</ul>\n"
    }
    page +=
      "<h2>Recent probes</h2>\n<table><tr><th>Module</th><th>Target</th><th>Result</th><th>Log</th></tr>\n"
    for entry in entries.reversed() {
      let (report, failure) = (entry.report, entry.report.failure)
      let result =
        failure.map { "<span class=\"failed\">\($0.reason.rawValue.escapedForHTML)</span>" } ?? "success"
      page +=
        "<tr><td>\(report.module.name.escapedForHTML)</td><td>\(report.target.withoutCredentials.escapedForHTML)</td><td>\(result)</td>"
      page += "<td><a href=\"logs?id=\(entry.id)\">log</a></td></tr>\n"
    }
    return page + "</table></body></html>\n"
  }
}
