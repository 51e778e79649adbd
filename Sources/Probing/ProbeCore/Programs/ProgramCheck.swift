/// The monitoring plugin of a request, which performs the probe: a program with an exit code from 0 to 3.
package struct ProgramCheck: Hashable, Sendable {
  package var program = Program([])
  /// Whether a warning, exit code 1, is accepted.
  package var acceptsWarnings = false

  /// Creates a check without a program.
  package init() {}
}

extension ProbeRequest {
  /// The monitoring plugin that performs the probe; one without a program for none.
  package var programCheck: ProgramCheck {
    get { self[ProgramCheck.self] ?? ProgramCheck() }
    set { self[ProgramCheck.self] = newValue }
  }
}

extension URLScheme {
  /// The scheme of checks in reports; no one can request such a URL, because a check needs a ``ProgramCheck``.
  package static let check = URLScheme("check")
}

extension ProbeURL {
  /// The URL of a check in reports: `check://check_ssh` for a program of that name.
  ///
  /// Characters that are not valid in a host name become `-`.
  package init(check program: Program) {
    let allowed = program.name.lowercased().utf8.map { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_.".utf8.contains(byte) ? byte : UInt8(ascii: "-")
    }
    let name = String(decoding: allowed.prefix(63), as: UTF8.self)
    // A name such as `..` or `v1.2` is not a valid host name.
    let parsed = try? ProbeURL("\(URLScheme.check)://\(name)")
    self =
      parsed
      ?? ProbeURL(
        scheme: .check, host: "program", explicitPort: nil, path: "", query: nil, fragment: nil)
  }
}

/// A value that a monitoring plugin measured: an item of its performance data.
package struct PerformanceValue: Hashable, Sendable {
  /// Its name, such as `rta` or `/var`; safe to print.
  package var label: String
  package var number: Double
  /// The number as the plugin wrote it.
  package var text: String
  /// The unit as the plugin wrote it, such as `ms`, `%` or `MiB`, safe to print; empty for none.
  package var unit: String

  package init(_ label: String, _ number: Double, text: String, unit: String) {
    (self.label, self.number, self.text, self.unit) = (label, number, text, unit)
  }
}
