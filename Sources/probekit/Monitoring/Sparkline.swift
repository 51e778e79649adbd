/// The last values as a row of bars (U+2581 … U+2588), newest last.
struct Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

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

  /// The bars, with heights relative to the largest value; `·` for a missing value.
  var text: String {
    let longest = values.compactMap(\.self).max() ?? .zero
    return String(
      values.map { value in
        guard let value else { return "·" }
        guard longest > .zero else { return Self.bars[0] }
        let level = (value / longest * Double(Self.bars.count)).rounded(.up)
        return Self.bars[min(max(Int(level) - 1, 0), Self.bars.count - 1)]
      })
  }
}
