import ProbeCore

@testable import PortalAnalysis

/// What scripts of a page tell that run at these moments.
func findings(
  _ scripts: [(String, ScriptReader.Moment)], page: String = "http://probe.example/"
) throws -> ScriptFindings {
  var reader = ScriptReader(page: try ProbeURL(page))
  for (script, moment) in scripts { reader.read(Array(script.utf8)[...], when: moment) }
  return reader.finish()
}

/// What a script tells that runs while the page is loading.
func findings(_ script: String, page: String = "http://probe.example/") throws -> ScriptFindings {
  try findings([(script, .loading)], page: page)
}

extension ScriptFindings {
  /// The references, with `~` in front when it does not happen by itself, and `…` behind when parts of it are missing.
  var marked: [String] {
    redirects.map { "\($0.isImmediate ? "" : "~")\($0.reference)\($0.isWhole ? "" : "…")" }
  }
}
