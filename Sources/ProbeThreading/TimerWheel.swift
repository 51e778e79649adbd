/// Items that are due at moments to come: adding, removing and taking one all cost the same, however many there are.
///
/// A hierarchical timing wheel (Varghese and Lauck, 1987): six levels of 64 slots, each level 64 times as coarse as the
/// one below it. Moments are counted in ticks; what the unit is, only the caller knows. Nearly every deadline of a probe
/// is removed before its moment, which a heap makes dear.
package struct TimerWheel<Item> {
  /// One item in the wheel, to remove it by; after it is taken or removed it stands for nothing.
  package struct Entry: Hashable, Sendable {
    fileprivate let index: Int32
    fileprivate let generation: UInt32
  }

  private struct Node {
    var item: Item?
    var moment: UInt64
    /// The list it is in, with the nodes before and behind it; of a free node, `next` is the next free one.
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
  /// The list of what is due, behind those of the slots.
  private static var due: Int { levels << slotBits }
  /// Moments further away are looked at again by then: all slots of the top level but the one of the present.
  private static var farthest: UInt64 { 63 << UInt64((levels - 1) * slotBits) }

  private var nodes: [Node] = []
  private var firstFree: Int32 = -1
  private var lists = [List](repeating: List(), count: due + 1)
  /// A bit for each slot of a level that holds something.
  private var occupied = [UInt64](repeating: 0, count: levels)
  private var elapsed: UInt64 = 0
  /// How many items there are.
  package private(set) var count = 0

  /// A wheel without items, at tick 0.
  package init() {}
}

extension TimerWheel {
  /// Adds an item that is due at a moment; one that has passed is due at once.
  package mutating func add(_ item: Item, at moment: UInt64) -> Entry {
    let index: Int32
    if firstFree >= 0 {
      index = firstFree
      firstFree = nodes[Int(index)].next
      nodes[Int(index)].item = item
      nodes[Int(index)].moment = moment
    } else {
      index = Int32(nodes.count)
      nodes.append(Node(item: item, moment: moment, list: 0, next: -1, previous: -1, generation: 0))
    }
    count += 1
    place(index)
    return Entry(index: index, generation: nodes[Int(index)].generation)
  }

  /// Removes an item, unless it was taken or removed before.
  ///
  /// - Returns: The item, or nil when it is not there any more.
  @discardableResult
  package mutating func remove(_ entry: Entry) -> Item? {
    guard Int(entry.index) < nodes.count, nodes[Int(entry.index)].generation == entry.generation
    else { return nil }
    unlink(entry.index)
    return free(entry.index)
  }

  /// The moment to call ``take(dueBy:)`` at, which is not after that of any item; nil when there are none.
  ///
  /// It is the item's own moment when that is near, and the end of a slot on the way to it when it is not.
  package var next: UInt64? {
    if lists[Self.due].first >= 0 { return elapsed }
    return nextSlot?.moment
  }

  /// Takes an item that is due; those of earlier moments come first.
  ///
  /// - Parameter now: The present moment; one before an earlier call's counts as that one.
  /// - Returns: The item, or nil when none is due any more.
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
  /// The slot whose time comes next.
  private var nextSlot: (level: Int, slot: Int, moment: UInt64)? {
    for level in 0..<Self.levels where occupied[level] != 0 {
      let shift = UInt64(level * Self.slotBits)
      let here = Int(truncatingIfNeeded: elapsed >> shift) & 63
      let ahead = (occupied[level] >> UInt64(here)) | (occupied[level] << UInt64((64 - here) & 63))
      let slot = (here + ahead.trailingZeroBitCount) & 63
      let start = (elapsed >> (shift + 6)) << (shift + 6)
      var moment = start + (UInt64(slot) << shift)
      // Only the top level reaches around.
      if slot < here { moment += 1 << (shift + 6) }
      return (level, slot, moment)
    }
    return nil
  }

  /// Puts a node into the slot of its moment as seen from now.
  private mutating func place(_ index: Int32) {
    let moment = min(nodes[Int(index)].moment, elapsed + Self.farthest)
    guard moment > elapsed else { return append(index, to: Self.due) }
    let differing = 63 - ((elapsed ^ moment) | 63).leadingZeroBitCount
    let level = min(differing / Self.slotBits, Self.levels - 1)
    let slot = Int(truncatingIfNeeded: moment >> UInt64(level * Self.slotBits)) & 63
    append(index, to: (level << Self.slotBits) + slot)
  }

  /// Places all of a slot's nodes anew: what is due now becomes due, the rest goes to finer levels.
  private mutating func empty(_ list: Int) {
    var index = lists[list].first
    lists[list] = List()
    occupied[list >> Self.slotBits] &= ~(1 << UInt64(list & 63))
    while index >= 0 {
      let next = nodes[Int(index)].next
      place(index)
      index = next
    }
  }

  private mutating func append(_ index: Int32, to list: Int) {
    let last = lists[list].last
    nodes[Int(index)].list = Int16(list)
    nodes[Int(index)].previous = last
    nodes[Int(index)].next = -1
    if last >= 0 { nodes[Int(last)].next = index } else { lists[list].first = index }
    lists[list].last = index
    if list != Self.due { occupied[list >> Self.slotBits] |= 1 << UInt64(list & 63) }
  }

  private mutating func unlink(_ index: Int32) {
    let node = nodes[Int(index)]
    let list = Int(node.list)
    if node.previous >= 0 {
      nodes[Int(node.previous)].next = node.next
    } else {
      lists[list].first = node.next
    }
    if node.next >= 0 {
      nodes[Int(node.next)].previous = node.previous
    } else {
      lists[list].last = node.previous
    }
    guard list != Self.due, lists[list].first < 0 else { return }
    occupied[list >> Self.slotBits] &= ~(1 << UInt64(list & 63))
  }

  private mutating func free(_ index: Int32) -> Item? {
    defer { nodes[Int(index)].item = nil }
    nodes[Int(index)].generation &+= 1
    nodes[Int(index)].next = firstFree
    firstFree = index
    count -= 1
    return nodes[Int(index)].item
  }
}
