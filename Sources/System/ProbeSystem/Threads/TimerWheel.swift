/// A collection of timers with constant cost for adding, removing and taking one, regardless of their number.
///
/// It is a hierarchical timing wheel (Varghese and Lauck, 1987): six levels of 64 slots, each level 64 times
/// as coarse as the one below it. Times are counted in ticks, whose unit is up to the caller. Nearly every
/// deadline of a probe is removed before its time, which is expensive in a heap.
package struct TimerWheel<Item> {
  /// An item in the wheel, for removing it; invalid once it is taken or removed.
  package struct Entry: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  private struct Node {
    var item: Item?
    var moment: UInt64
    /// The list that contains it, with the adjacent nodes; for a free node, `next` is the next free one.
    var list: Int16
    var next: Int32
    var previous: Int32
    var generation: UInt32
  }

  private struct List {
    var first: Int32 = -1
    var last: Int32 = -1
  }

  private static var levels: Int { 6 }
  private static var slotBits: Int { 6 }
  /// The list of due items, after those of the slots.
  private static var due: Int { levels << slotBits }
  /// The farthest time that fits, in ticks from now: all slots of the top level but the current one.
  ///
  /// Items with later times are inserted again by then.
  private static var farthest: UInt64 { 63 << UInt64(clamping: (levels - 1) * slotBits) }

  private var nodes: [Node] = []
  private var firstFree: Int32 = -1
  private var lists = [List](repeating: List(), count: due + 1)
  /// A bit for each nonempty slot of a level.
  private var occupied = [UInt64](repeating: 0, count: levels)
  private var elapsed: UInt64 = 0
  /// The number of items.
  package private(set) var count = 0

  /// An empty wheel, at tick 0.
  package init() {}
}

extension TimerWheel {
  /// Adds an item with a time; one in the past is due at once.
  package mutating func add(_ item: Item, at moment: UInt64) -> Entry {
    let index: Int32
    if firstFree >= 0 {
      index = firstFree
      firstFree = nodes[Int(clamping: index)].next
      nodes[Int(clamping: index)].item = item
      nodes[Int(clamping: index)].moment = moment
    } else {
      index = Int32(clamping: nodes.count)
      nodes.append(Node(item: item, moment: moment, list: 0, next: -1, previous: -1, generation: 0))
    }
    count += 1
    insert(index)
    return Entry(index: index, generation: nodes[Int(clamping: index)].generation)
  }

  /// Removes an item, unless it was taken or removed before.
  ///
  /// - Returns: The item, or nil if it is no longer there.
  @discardableResult
  package mutating func remove(_ entry: Entry) -> Item? {
    guard Int(clamping: entry.index) < nodes.count,
      nodes[Int(clamping: entry.index)].generation == entry.generation
    else { return nil }
    unlink(entry.index)
    return free(entry.index)
  }

  /// The time for the next call of ``take(dueBy:)``, not after that of any item; nil if there are none.
  ///
  /// It is the item's own time if that is near, and otherwise the end of a slot before it.
  package var next: UInt64? {
    if lists[Self.due].first >= 0 { return elapsed }
    return nextSlot?.moment
  }

  /// Takes a due item; those of earlier times come first.
  ///
  /// - Parameter now: The current time; if it is before that of an earlier call, the latter is used.
  /// - Returns: The item, or nil if none is due.
  package mutating func take(dueBy now: UInt64) -> Item? {
    while lists[Self.due].first < 0 {
      guard let (level, slot, moment) = nextSlot, moment <= now else {
        elapsed = max(elapsed, now)
        return nil
      }
      elapsed = max(elapsed, moment)
      empty((level << Self.slotBits) + slot)
    }
    let index = lists[Self.due].first
    unlink(index)
    return free(index)
  }
}

extension TimerWheel {
  /// The next slot to become due.
  private var nextSlot: (level: Int, slot: Int, moment: UInt64)? {
    for level in 0..<Self.levels where occupied[level] != 0 {
      let shift = UInt64(clamping: level * Self.slotBits)
      let here = Int(truncatingIfNeeded: elapsed >> shift) & 63
      let ahead =
        (occupied[level] >> UInt64(clamping: here)) | (occupied[level] << UInt64(clamping: (64 - here) & 63))
      let slot = (here + ahead.trailingZeroBitCount) & 63
      let start = (elapsed >> (shift + 6)) << (shift + 6)
      var moment = start + (UInt64(clamping: slot) << shift)
      // Only the top level wraps around.
      if slot < here { moment += 1 << (shift + 6) }
      return (level, slot, moment)
    }
    return nil
  }

  /// Puts a node into the slot of its time, relative to the current one.
  private mutating func insert(_ index: Int32) {
    let moment = min(nodes[Int(clamping: index)].moment, elapsed + Self.farthest)
    guard moment > elapsed else { return append(index, to: Self.due) }
    let differing = 63 - ((elapsed ^ moment) | 63).leadingZeroBitCount
    let level = min(differing / Self.slotBits, Self.levels - 1)
    let slot = Int(truncatingIfNeeded: moment >> UInt64(clamping: level * Self.slotBits)) & 63
    append(index, to: (level << Self.slotBits) + slot)
  }

  /// Inserts all nodes of a slot again: those due now become due, the rest move to finer levels.
  private mutating func empty(_ list: Int) {
    var index = lists[list].first
    lists[list] = List()
    occupied[list >> Self.slotBits] &= ~(1 << UInt64(clamping: list & 63))
    while index >= 0 {
      let next = nodes[Int(clamping: index)].next
      insert(index)
      index = next
    }
  }

  private mutating func append(_ index: Int32, to list: Int) {
    let last = lists[list].last
    nodes[Int(clamping: index)].list = Int16(truncatingIfNeeded: list)
    nodes[Int(clamping: index)].previous = last
    nodes[Int(clamping: index)].next = -1
    if last >= 0 { nodes[Int(clamping: last)].next = index } else { lists[list].first = index }
    lists[list].last = index
    if list != Self.due { occupied[list >> Self.slotBits] |= 1 << UInt64(clamping: list & 63) }
  }

  private mutating func unlink(_ index: Int32) {
    let node = nodes[Int(clamping: index)]
    let list = Int(clamping: node.list)
    if node.previous >= 0 {
      nodes[Int(clamping: node.previous)].next = node.next
    } else {
      lists[list].first = node.next
    }
    if node.next >= 0 {
      nodes[Int(clamping: node.next)].previous = node.previous
    } else {
      lists[list].last = node.previous
    }
    guard list != Self.due, lists[list].first < 0 else { return }
    occupied[list >> Self.slotBits] &= ~(1 << UInt64(clamping: list & 63))
  }

  private mutating func free(_ index: Int32) -> Item? {
    defer { nodes[Int(clamping: index)].item = nil }
    nodes[Int(clamping: index)].generation &+= 1
    nodes[Int(clamping: index)].next = firstFree
    firstFree = index
    count -= 1
    return nodes[Int(clamping: index)].item
  }
}
