/// How a few last values went, as a row of bars (U+2581 … U+2588), the newest at the end.
struct Sparkline {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// How many values are kept.
  let capacity: Int
  private var values: [Duration?] = []

  /// A line without values.
  init(capacity: Int = 30) {
    self.capacity = capacity
  }

  /// Adds a value; nil is one that could not be measured.
  mutating func add(_ value: Duration?) {
    values.append(value)
    if values.count > capacity { values.removeFirst(values.count - capacity) }
  }

  /// The bars, as high as their value is beside the longest one; a `·` where nothing could be measured.
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
