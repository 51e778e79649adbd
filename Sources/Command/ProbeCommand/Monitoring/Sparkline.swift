import ProbeBase
import ProbeReporting

/// The latest values as a row of bars, with the newest at the end.
struct Sparkline {
  /// The maximum number of values.
  let capacity: Int
  private var values: [Duration?] = []

  /// Creates an empty sparkline.
  init(capacity: Int = 30) {
    self.capacity = capacity
  }

  /// Adds a value; nil for one that could not be measured.
  mutating func add(_ value: Duration?) {
    values.append(value)
    if values.count > capacity { values.removeFirst(values.count - capacity) }
  }

  /// The bars, each with a height relative to the maximum; a gap for each missing value.
  func text(_ marks: Marks) -> String {
    let maximum = values.compactMap(\.self).max() ?? .zero
    return String(
      values.map { value in
        guard let value else { return marks.gap }
        guard maximum > .zero else { return marks.bars[0] }
        let level = (value / maximum * Double(marks.bars.count)).rounded(.up)
        return marks.bars[min(max(Int(bounding: level) - 1, 0), marks.bars.count - 1)]
      })
  }
}
