import CommandKit
import ProbeCore

extension OptionSpec {
  /// A time, whose default value is that of the default options.
  static func duration(
    _ name: String, _ property: any WritableKeyPath<Options, Duration> & Sendable, short: String? = nil,
    in range: ClosedRange<Duration>, help: String
  ) -> OptionSpec {
    .option(name, short: short, value: "DURATION", help: help) {
      $0[keyPath: property] = try ValueSyntax.duration($1, in: range)
    }.showing { $0[keyPath: property].asOption }
  }
}

extension Duration {
  /// The time in the form of an option, such as `500ms` or `10s`.
  var asOption: String {
    let milliseconds = Int(bounding: self / .milliseconds(1))
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
