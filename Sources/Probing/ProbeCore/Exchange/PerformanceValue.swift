/// A value that a monitoring plugin measured: an item of its performance data.
package struct PerformanceValue: Hashable, Sendable {
  /// Its name, such as `rta` or `/var`; safe to print.
  package var label: String
  /// The number.
  package var number: Double
  /// The number as the plugin wrote it.
  package var text: String
  /// The unit as the plugin wrote it, such as `ms`, `%` or `MiB`, safe to print; empty for none.
  package var unit: String

  /// Creates a value.
  package init(_ label: String, _ number: Double, text: String, unit: String) {
    (self.label, self.number, self.text, self.unit) = (label, number, text, unit)
  }
}
