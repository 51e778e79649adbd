import ProbeCore

/// Decides which line of a scan is probed next; does no I/O.
///
/// Lines start in their order, apart from those whose host or address is at its limit: they wait in a side queue, and
/// others overtake them. Both queues are bounded, so reading stops until there is room. Each event costs constant time
/// on average.
struct ScanQueue: Sendable {
  /// A line with a slot at its host, and what is known of its addresses.
  struct Item: Sendable {
    let line: ScanLine
    let host: String
    /// The addresses of the host, if they were looked up for the limit of addresses.
    var found: FoundAddresses?
    /// The addresses at which it takes a slot, each once.
    var addresses: [IPAddress] = []
  }

  /// The lines that wait for a host or an address.
  private struct Waiting<Element: Sendable>: Sendable {
    var taken = 0
    var queue: Fifo<Element> = Fifo()

    /// Takes a slot for an element, or makes it wait for one.
    ///
    /// - Returns: Whether it has its slot.
    mutating func take(_ limit: Int, for element: Element) -> Bool {
      guard taken < limit else {
        queue.append(element)
        return false
      }
      taken += 1
      return true
    }
  }

  private let limits: ScanLimits
  private var ready = Fifo<Item>()
  private var hosts: [String: Waiting<Item>] = [:]
  private var addresses: [IPAddress: Waiting<Item>] = [:]
  /// The number of lines in the side queue.
  private(set) var held = 0
  /// The number of bytes in the lines of both queues.
  private var size = 0

  init(_ limits: ScanLimits) {
    self.limits = limits
  }

  /// Whether another line can be added.
  var hasRoom: Bool {
    ready.count < limits.lookahead && held < limits.sideQueue && size < limits.waitingBytes
  }
  /// Whether there is room for many lines, so that waking a reader for them is worth its cost.
  var isLow: Bool {
    hasRoom && ready.count <= limits.lookahead / 2 && held <= limits.sideQueue / 2
  }
  /// Whether no line waits.
  var isEmpty: Bool { ready.isEmpty && held == 0 }

  mutating func add(_ line: ScanLine, host: String) {
    let item = Item(line: line, host: host)
    size += line.size
    if hosts[host, default: Waiting()].take(limits.perHost, for: item) {
      ready.append(item)
    } else {
      held += 1
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
  mutating func enter(_ item: Item) -> Bool {
    if takeSlots(of: item) { return true }
    held += 1
    size += item.line.size
    return false
  }

  /// Takes a slot at each address of a line, or appends it to the queue of one that is full.
  private mutating func takeSlots(of item: Item) -> Bool {
    guard let limit = limits.perAddress else { return true }
    if let full = item.addresses.first(where: { addresses[$0]?.taken ?? 0 >= limit }) {
      addresses[full]?.queue.append(item)
      return false
    }
    for address in item.addresses { addresses[address, default: Waiting()].taken += 1 }
    return true
  }

  /// A line has been probed, which frees its slots.
  ///
  /// - Parameter item: The line; its addresses have slots only if it entered.
  mutating func finished(_ item: Item) {
    leave(item.host)
    guard limits.perAddress != nil else { return }
    for address in item.addresses { addresses[address]?.taken -= 1 }
    for address in item.addresses { admit(to: address) }
  }

  /// Frees a slot at a host, for the line that waits for it if there is one.
  private mutating func leave(_ host: String) {
    guard let index = hosts.index(forKey: host) else { return }
    if let next = hosts.values[index].queue.popFirst() {
      ready.append(next)
      held -= 1
    } else {
      hosts.values[index].taken -= 1
      if hosts.values[index].taken == 0 { hosts.remove(at: index) }
    }
  }

  /// Lets lines that wait for an address enter.
  private mutating func admit(to address: IPAddress) {
    guard let limit = limits.perAddress else { return }
    while addresses[address]?.taken ?? limit < limit, let next = addresses[address]?.queue.popFirst() {
      // Another of its addresses may be at its limit; it then waits there.
      if takeSlots(of: next) {
        ready.append(next)
        held -= 1
      }
    }
    if let waiting = addresses[address], waiting.taken == 0, waiting.queue.isEmpty {
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
