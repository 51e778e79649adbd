internal import FoundationEssentials
internal import ProbeCore

/// How much longer certificates must be valid: a time, or a share of the lifetime of the server's own certificate.
///
/// A share suits certificates of any lifetime: authorities shorten it (CA/Browser Forum ballot SC-081: 47 days from
/// 2029-03-15), and some certificates are valid for six days only.
struct ExpiryMargin: Sendable {
  private enum Measure {
    case time(Duration)
    /// In millionths of a percent.
    case share(Int)
  }

  private static let unit = 1_000_000
  private let measure: Measure

  /// A time; a negative one counts as zero.
  init(_ time: Duration) {
    measure = .time(max(time, .zero))
  }

  /// Parses a duration such as `14d`, or a percentage such as `33%`.
  ///
  /// - Throws: `InvalidInput` if it is neither, if the duration is more than ten years, or if the percentage is not
  ///   between 0 and 100.
  init(_ text: String) throws(InvalidInput) {
    guard let number = DecimalNumber(prefixOf: text), number.rest.drop(while: { $0 == " " }) == "%" else {
      measure = .time(try Self.duration(text))
      return
    }
    let share = try number.scaled(by: Self.unit)
    guard share > 0, share < 100 * Self.unit else {
      throw InvalidInput(
        "\(Excerpt(text)) of the lifetime is not between 0 and 100 %", remedy: "use such as 33%")
    }
    measure = .share(share)
  }

  private static func duration(_ text: String) throws(InvalidInput) -> Duration {
    do throws(InvalidInput) {
      return try ValueSyntax.duration(text, in: .zero ... .seconds(3650 * 86_400))
    } catch {
      // A number with a unit can only be a time.
      guard text.utf8.contains(UInt8(ascii: "%")) || DecimalNumber(prefixOf: text)?.rest.isEmpty != false
      else {
        throw error
      }
      throw InvalidInput(
        "\(Excerpt(text)) is neither a duration nor a percentage",
        remedy: "write a duration such as 14d, or a percentage such as 33%")
    }
  }

  /// The time for which the certificates of a chain must remain valid.
  ///
  /// - Parameter own: The server's own certificate.
  /// - Returns: The time in seconds.
  func seconds(for own: CertificateFacts) -> Double {
    switch measure {
    case .time(let time):
      let (seconds, attoseconds) = time.components
      return Double(seconds) + Double(attoseconds) / 1e18
    case .share(let share):
      let lifetime = max(0, own.notAfter.timeIntervalSince(own.notBefore))
      return lifetime * Double(share) / Double(100 * Self.unit)
    }
  }

  /// The requirement in words, without a chain or for the one of a certificate.
  func words(for own: CertificateFacts?) -> String {
    switch measure {
    case .time(let time): return "certificates that are valid for \(ValueSyntax.text(of: time)) more"
    case .share(let share):
      let percent =
        "\(share / Self.unit)"
        + (share % Self.unit == 0 ? "" : String("\(share % Self.unit + Self.unit)".dropFirst()).asFraction)
      let time = own.map { " (\(Self.inDays(seconds(for: $0))))" } ?? ""
      return "certificates that are valid for \(percent)% of the lifetime of the server's\(time) more"
    }
  }

  /// A time in the largest unit that shows it.
  private static func inDays(_ seconds: Double) -> String {
    let (size, unit) = seconds >= 86_400 ? (86_400.0, "d") : seconds >= 3600 ? (3600, "h") : (60, "m")
    return "\(Int(bounding: (seconds / size).rounded()))\(unit)"
  }
}

extension String {
  /// Digits behind a decimal point, without zeros at their end.
  fileprivate var asFraction: String {
    var digits = self[...]
    while digits.last == "0" { digits = digits.dropLast() }
    return ".\(digits)"
  }
}
