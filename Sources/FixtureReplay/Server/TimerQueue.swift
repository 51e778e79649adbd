/// Moments at which something is due, the earliest first: a binary heap.
struct TimerQueue<Item> {
  private var heap: [(moment: ContinuousClock.Instant, item: Item)] = []

  /// The earliest moment, or nil when nothing is due.
  var first: ContinuousClock.Instant? { heap.first?.moment }

  /// Adds something that is due at a moment.
  mutating func add(_ item: Item, at moment: ContinuousClock.Instant) {
    heap.append((moment, item))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].moment < heap[parent].moment else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the earliest thing that is due by a moment.
  mutating func take(dueBy moment: ContinuousClock.Instant) -> Item? {
    guard let first = heap.first, first.moment <= moment else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].moment < heap[smallest].moment { smallest = child }
      }
      if smallest == parent { return first.item }
      heap.swapAt(smallest, parent)
      parent = smallest
    }
  }
}
