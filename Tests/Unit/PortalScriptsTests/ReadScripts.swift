import ProbeCore

@testable import PortalScripts

/// The findings in a page's scripts, each with the time at which it runs.
func findings(
  _ scripts: [(String, ScriptReader.Moment)], page: String = "http://probe.example/"
) throws -> ScriptFindings {
  var reader = ScriptReader(page: try ProbeURL(page))
  for (script, moment) in scripts { reader.read(Array(script.utf8)[...], when: moment) }
  return reader.finish()
}

/// The findings in a script that runs while the page is loading.
func findings(_ script: String, page: String = "http://probe.example/") throws -> ScriptFindings {
  try findings([(script, .loading)], page: page)
}

extension ScriptFindings {
  /// The references.
  ///
  /// `~` precedes one that is not automatic, and `…` follows one with unknown parts.
  var marked: [String] {
    redirects.map { "\($0.isImmediate ? "" : "~")\($0.reference)\($0.isWhole ? "" : "…")" }
  }
}
