import ProbeCore

/// Decides which line of a scan is probed next; does no I/O.
///
/// Lines start in their order, apart from those whose host or address is at its limit: each of them waits in the queue
/// of that host or address, and others overtake it. The number of lines that can start is bounded, and so is that of all
/// that wait; at either bound, reading stops until there is room. Each event costs constant time on average.
struct ScanQueue: Sendable {
  /// A line with its host, and what is known of its addresses.
  struct Item: Sendable {
    let line: ScanLine
    let host: String
    /// The addresses of the host, if they were looked up for the limit of addresses.
    var found: FoundAddresses?
    /// The addresses at which it needs a slot, each once.
    var addresses: [IPAddress] = []
  }

  /// The slots of a host or an address, and the lines that wait for one.
  private struct SlotLimit<Element: Sendable>: Sendable {
    var slotsInUse = 0
    var queue: Fifo<Element> = Fifo()

    /// Takes a slot for an element, or makes it wait for one.
    ///
    /// - Returns: Whether it has its slot.
    mutating func takeSlot(_ limit: Int, for element: Element) -> Bool {
      guard slotsInUse < limit else {
        queue.append(element)
        return false
      }
      slotsInUse += 1
      return true
    }
  }

  private let limits: ScanLimits
  /// The lines that can start.
  private var ready = Fifo<Item>()
  /// The slots of each host that is probed, and the lines that wait for one.
  private var hosts: [String: SlotLimit<Item>] = [:]
  private var addresses: [IPAddress: SlotLimit<Item>] = [:]
  /// The number of lines that wait for a host or an address.
  private(set) var waitingCount = 0
  /// The number of bytes in the lines that can start and those that wait.
  private var size = 0

  init(_ limits: ScanLimits) {
    self.limits = limits
  }

  /// Whether another line can be added.
  var hasRoom: Bool {
    ready.count < limits.lookahead && waitingCount < limits.waitingLines && size < limits.waitingBytes
  }
  /// Whether there is room for many lines, so that waking a reader for them is worth its cost.
  var hasRoomForMany: Bool {
    hasRoom && ready.count <= limits.lookahead / 2 && waitingCount <= limits.waitingLines / 2
  }
  /// Whether no line can start, and none waits.
  var isEmpty: Bool { ready.isEmpty && waitingCount == 0 }

  mutating func add(_ line: ScanLine, host: String) {
    let item = Item(line: line, host: host)
    size += line.size
    if hosts[host, default: SlotLimit()].takeSlot(limits.perHost, for: item) {
      ready.append(item)
    } else {
      waitingCount += 1
    }
  }

  /// Takes the next line; nil if none can start.
  mutating func next() -> Item? {
    guard let item = ready.popFirst() else { return nil }
    size -= item.line.size
    return item
  }

  /// Takes a slot at each address of a line.
  ///
  /// - Returns: Whether it has them. Otherwise the line waits, and ``next()`` returns it once it has them.
  mutating func takeAddressSlots(of item: Item) -> Bool {
    if takeSlotsOrQueue(item) { return true }
    waitingCount += 1
    size += item.line.size
    return false
  }

  /// Takes a slot at each address of a line, or appends it to the queue of one that is full.
  private mutating func takeSlotsOrQueue(_ item: Item) -> Bool {
    guard let limit = limits.perAddress else { return true }
    if let full = item.addresses.first(where: { addresses[$0]?.slotsInUse ?? 0 >= limit }) {
      addresses[full]?.queue.append(item)
      return false
    }
    for address in item.addresses { addresses[address, default: SlotLimit()].slotsInUse += 1 }
    return true
  }

  /// A line has been probed, which frees its slots.
  ///
  /// - Parameter item: The line. If addresses are limited and it has any, ``takeAddressSlots(of:)`` must have taken their
  ///   slots, at once or while it waited.
  mutating func finished(_ item: Item) {
    freeHostSlot(item.host)
    guard limits.perAddress != nil else { return }
    for address in item.addresses { addresses[address]?.slotsInUse -= 1 }
    for address in item.addresses { startWaiting(at: address) }
  }

  /// Frees a slot at a host, for the line that waits for it if there is one.
  private mutating func freeHostSlot(_ host: String) {
    guard let index = hosts.index(forKey: host) else { return }
    if let next = hosts.values[index].queue.popFirst() {
      ready.append(next)
      waitingCount -= 1
    } else {
      hosts.values[index].slotsInUse -= 1
      if hosts.values[index].slotsInUse == 0 { hosts.remove(at: index) }
    }
  }

  /// Gives the free slots of an address to the lines that wait for them.
  private mutating func startWaiting(at address: IPAddress) {
    guard let limit = limits.perAddress else { return }
    while addresses[address]?.slotsInUse ?? limit < limit, let next = addresses[address]?.queue.popFirst() {
      // Another of its addresses may be at its limit; it then waits there.
      if takeSlotsOrQueue(next) {
        ready.append(next)
        waitingCount -= 1
      }
    }
    if let slots = addresses[address], slots.slotsInUse == 0, slots.queue.isEmpty {
      addresses[address] = nil
    }
  }
}

/// A queue whose ends cost constant time.
private struct Fifo<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var first = 0

  var count: Int { elements.count - first }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[first].take()
    first += 1
    // The half that was taken is removed at once, which is constant time for each.
    if first * 2 >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }
}
