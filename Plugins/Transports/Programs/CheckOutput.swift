internal import ProbeCore

/// The output of a monitoring plugin: a line of text, more lines of text, and performance data.
///
/// The first line is `TEXT | PERFORMANCE DATA`. Further lines are text up to a `|`; everything after it,
/// including all following lines, is performance data.
struct CheckOutput {
  /// The text of the first line, without its performance data.
  let summary: ArraySlice<UInt8>
  /// The measured values.
  let values: [PerformanceValue]

  /// Parses the whole output.
  init(_ output: [UInt8]) {
    var lines = output[...].split(separator: UInt8(ascii: "\n"))[...]
    var data = PerformanceData()
    func splitting(_ line: ArraySlice<UInt8>) -> (text: ArraySlice<UInt8>, data: ArraySlice<UInt8>?) {
      guard let bar = line.firstIndex(of: UInt8(ascii: "|")) else { return (line, nil) }
      return (line[..<bar], line[(bar + 1)...])
    }
    let (summary, first) = splitting(lines.popFirst() ?? [])
    if let first { data.add(first) }
    while let line = lines.popFirst() {
      guard let rest = splitting(line).data else { continue }
      for line in [rest] + lines { data.add(line) }
      break
    }
    self.summary = summary
    values = data.values
  }
}
