/// Measures comparisons and prints a line for each, under a heading.
///
/// - Parameters:
///   - comparisons: What to measure.
///   - ratio: The ratio of the two times that is printed and compared with the bar.
public func printTable(_ comparisons: [Comparison], ratio: (Timing) -> Double) {
  print(row("what", "ours", "yardstick", "ratio", "bar"))
  for comparison in comparisons {
    let timing = Timing(comparison, rounds: 15, nanoseconds: 50_000_000)
    print(
      row(
        comparison.name, time(timing.ours), time(timing.yardstick), decimal(ratio(timing), fractionDigits: 2),
        comparison.bar))
  }
}

/// Columns of fixed width.
private func row(_ columns: String...) -> String {
  columns.enumerated().map { index, text in
    let space = String(repeating: " ", count: max(0, (index == 0 ? 34 : 12) - text.count))
    return index == 0 ? text + space : space + text
  }.joined()
}

private func time(_ nanoseconds: Double) -> String {
  nanoseconds < 10_000
    ? "\(decimal(nanoseconds, fractionDigits: 0)) ns" : "\(decimal(nanoseconds / 1000, fractionDigits: 1)) µs"
}

private func decimal(_ value: Double, fractionDigits: Int) -> String {
  var scale = 1
  for _ in 0..<fractionDigits { scale *= 10 }
  let whole = Int((value * Double(scale)).rounded())
  guard fractionDigits > 0 else { return "\(whole)" }
  let fraction = String(whole % scale)
  return "\(whole / scale).\(String(repeating: "0", count: fractionDigits - fraction.count))\(fraction)"
}
