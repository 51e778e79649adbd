/// The syntax of durations and sizes, in pipeline files and on the command line.
public enum ValueSyntax {
  private static let nanosecondsByUnit = [
    (unit: "ms", nanoseconds: 1_000_000),
    (unit: "s", nanoseconds: 1_000_000_000),
    (unit: "m", nanoseconds: 60_000_000_000),
    (unit: "h", nanoseconds: 3_600_000_000_000),
    (unit: "d", nanoseconds: 86_400_000_000_000),
  ]

  private static let bytesByUnit = [
    (unit: "", bytes: 1), (unit: "B", bytes: 1),
    (unit: "kB", bytes: 1000), (unit: "KB", bytes: 1000), (unit: "MB", bytes: 1_000_000),
    (unit: "GB", bytes: 1_000_000_000),
    (unit: "KiB", bytes: 1 << 10), (unit: "MiB", bytes: 1 << 20), (unit: "GiB", bytes: 1 << 30),
  ]

  /// Parses a duration such as `5s`, `800ms`, `1.5s`, `1m`, `2h` or `14d`.
  ///
  /// - Parameters:
  ///   - text: The duration as written.
  ///   - bounds: The valid durations.
  /// - Returns: The duration.
  /// - Throws: ``InvalidInput`` if the text is not a duration, or if the duration is out of bounds.
  public static func duration(
    _ text: String, in bounds: ClosedRange<Duration>
  ) throws(InvalidInput) -> Duration {
    let number = DecimalNumber(prefixOf: text)
    guard let number else {
      throw InvalidInput("\(Excerpt(text)) is not a time", remedy: "write it as 5s, 800ms or 1m")
    }
    let written = number.rest.drop { $0 == " " }
    guard let unit = nanosecondsByUnit.first(where: { $0.unit == written }) else {
      let unknown = written.isEmpty ? "has no unit" : "has an unknown unit"
      throw InvalidInput("the time \(Excerpt(text)) \(unknown)", remedy: "use ms, s, m, h or d, as in 5s")
    }
    let duration = Duration.nanoseconds(try number.scaled(by: unit.nanoseconds))
    guard bounds.contains(duration) else {
      throw InvalidInput(
        "the time \(Excerpt(text)) is out of bounds",
        remedy: "use one from \(Self.text(of: bounds.lowerBound)) to \(Self.text(of: bounds.upperBound))")
    }
    return duration
  }

  /// Parses a number of bytes such as `4096`, `64KiB` or `1MB`.
  ///
  /// - Parameters:
  ///   - text: The number as written.
  ///   - bounds: The valid numbers.
  /// - Returns: The number of bytes.
  /// - Throws: ``InvalidInput`` if the text is not a number of bytes, or if the number is out of bounds.
  public static func byteCount(_ text: String, in bounds: ClosedRange<Int>) throws(InvalidInput) -> Int {
    guard let number = DecimalNumber(prefixOf: text) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a number of bytes", remedy: "write it as 4096, 64KiB or 1MB")
    }
    let written = number.rest.drop { $0 == " " }
    guard let unit = bytesByUnit.first(where: { $0.unit == written }) else {
      throw InvalidInput(
        "the size \(Excerpt(text)) has an unknown unit", remedy: "use B, kB, MB, GB, KiB, MiB or GiB")
    }
    let count = try number.scaled(by: unit.bytes)
    guard bounds.contains(count) else {
      throw InvalidInput(
        "the size \(Excerpt(text)) is out of bounds",
        remedy:
          "use one from \(Self.text(ofBytes: bounds.lowerBound)) to \(Self.text(ofBytes: bounds.upperBound))")
    }
    return count
  }

  /// Formats a duration in the largest unit in which it is whole, such as `90s` or `2m`.
  ///
  /// - Parameter duration: The duration; it is rounded down to whole milliseconds.
  /// - Returns: The text, in the syntax of ``duration(_:in:)``.
  public static func text(of duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = Int128(seconds) * 1000 + Int128(attoseconds / 1_000_000_000_000_000)
    let units = nanosecondsByUnit.map { (unit: $0.unit, milliseconds: Int128($0.nanoseconds / 1_000_000)) }
    let whole = units.last { milliseconds != 0 && milliseconds % $0.milliseconds == 0 } ?? units[1]
    return "\(milliseconds / whole.milliseconds)\(whole.unit)"
  }

  static func text(ofBytes count: Int) -> String {
    let binary = bytesByUnit.suffix(3)
    guard let whole = binary.last(where: { count != 0 && count % $0.bytes == 0 }) else { return "\(count)" }
    return "\(count / whole.bytes)\(whole.unit)"
  }
}

/// A number of bytes, such as `64KiB`; see ``ValueSyntax``.
public struct ByteCount: Hashable, Sendable, Codable {
  /// The number.
  public var bytes: Int

  /// Creates a number of bytes.
  public init(_ bytes: Int) {
    self.bytes = bytes
  }

  /// Decodes a number with or without a unit.
  ///
  /// - Throws: ``InvalidInput`` if the text is not a number of bytes.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    self.init(try ValueSyntax.byteCount(text, in: 0...Int.max))
  }

  /// Encodes the number as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("\(bytes)")
  }
}

extension ByteCount: SchemaProviding {
  /// A number of bytes.
  public static var schema: ValueSchema { .byteCount }
}
