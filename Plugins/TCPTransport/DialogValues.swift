internal import ProbeCore

/// Times and sizes as a dialog writes them.
enum DialogValues {
  /// The times a step may have.
  static let timeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
  /// The sizes a step may have, in bytes.
  static let sizes = 1...(1 << 30)

  /// Reads a time such as `800ms` or `5s`.
  ///
  /// - Throws: ``InvalidInput`` for another text.
  static func duration(_ text: String) throws(InvalidInput) -> Duration {
    let (number, unit) = split(text)
    let factors = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    guard let number else {
      throw InvalidInput("\(Excerpt(text)) is not a time", remedy: "write it as 5s, 800ms or 1m")
    }
    guard let factor = factors[unit] else {
      let unknown = unit.isEmpty ? "has no unit" : "has an unknown unit"
      throw InvalidInput("the time \(Excerpt(text)) \(unknown)", remedy: "use ms, s, m or h, as in 5s")
    }
    return .milliseconds(number.multipliedReportingOverflow(by: factor).overflow ? Int.max : number * factor)
  }

  /// Reads a number of bytes such as `4096` or `4KiB`.
  ///
  /// - Throws: ``InvalidInput`` for another text.
  static func byteCount(_ text: String) throws(InvalidInput) -> Int {
    let (number, unit) = split(text)
    let factors = [
      "": 1, "B": 1, "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10,
      "MiB": 1 << 20,
      "GiB": 1 << 30,
    ]
    guard let number else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a number of bytes", remedy: "write it as 4096, 64KiB or 1MB")
    }
    guard let factor = factors[unit] else {
      throw InvalidInput(
        "the size \(Excerpt(text)) has an unknown unit", remedy: "use B, kB, MB, GB, KiB, MiB or GiB")
    }
    return number.multipliedReportingOverflow(by: factor).overflow ? Int.max : number * factor
  }

  /// A time as it is written; below a millisecond it is rounded down.
  static func text(of duration: Duration) -> String {
    let milliseconds = Int(duration / .milliseconds(1))
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }

  private static func split(_ text: String) -> (number: Int?, unit: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return (Int(digits), String(text[digits.endIndex...].drop { $0 == " " }))
  }
}
