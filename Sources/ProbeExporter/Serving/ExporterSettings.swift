/// The settings of an exporter.
package struct ExporterSettings: Sendable {
  /// What is subtracted from the timeout of a scrape, in seconds.
  package var timeoutOffset = 0.5
  /// The maximum number of the latest probes to remember, and of failed ones beyond them.
  package var historyLimit = 100
  /// The prefix of all paths; begins and ends with a slash.
  package var routePrefix = "/"
  /// Where `/` leads if the paths have a prefix; nil for the prefix.
  package var externalURL: String?
  /// The commit of this build; nil if it is not known.
  package var commit: String?

  /// The usual settings.
  package init() {}
}
