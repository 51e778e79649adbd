/// The settings of an exporter.
package struct ExporterSettings: Sendable {
  /// The number of seconds to subtract from the scrape timeout.
  package var timeoutOffset = 0.5
  /// The maximum number of the latest probes to remember, and of failed ones beyond them.
  package var historyLimit = 100
  /// The prefix of all paths; begins and ends with a slash.
  package var routePrefix = "/"
  /// The target of the redirect from `/` if the paths have a prefix; nil for the prefix.
  package var externalURL: String?
  /// Whether the web configuration file was usable when it was read last; nil without such a file.
  package var webFileIsUsable: (@Sendable () -> Bool)?
  /// The commit of this build; nil if unknown.
  package var commit: String?

  /// The default settings.
  package init() {}
}
