import ProbeCore

/// The timeout of a probe, by the rule of blackbox_exporter.
struct ScrapeTimeout {
  /// The header field in which Prometheus sends the timeout of a scrape, in seconds.
  static let field = "x-prometheus-scrape-timeout-seconds"
  /// The timeout of a scrape without the field.
  private static let usual = 120.0

  /// The seconds reserved for the response.
  let offset: Double

  /// The timeout of a probe.
  ///
  /// - Parameters:
  ///   - field: The value of the header field; nil or empty without one.
  ///   - module: The timeout of the module; nil for none.
  /// - Returns: The timeout, which is shorter than that of the scrape, so that a failure is still reported.
  /// - Throws: `InvalidInput` if the field is not a number.
  func timeout(field: String?, module: Duration?) throws(InvalidInput) -> Duration {
    var scrape = 0.0
    if let field, !field.isEmpty {
      guard let number = Double(field), number.isFinite else {
        throw InvalidInput("\(Excerpt(field)) is not a number of seconds")
      }
      scrape = number
    }
    if scrape == 0 { scrape = Self.usual }
    let maximum = scrape - offset
    let own = (module ?? .zero) / .seconds(1)
    let seconds = own < maximum && own > 0 || maximum < 0 ? own : maximum
    return .seconds(min(max(0, seconds), Self.upperBound))
  }

  /// The upper bound for unreasonable values, in seconds.
  private static let upperBound = 86_400.0
}
