/// The work that a search, or several searches together, may take; see ``WorkMeter`` for its unit.
package struct WorkBudget: Hashable, Sendable {
  /// The units left.
  private(set) var units: Int
  /// Whether the cancellation of the task ends a search, as if the budget were spent.
  let isCancellable: Bool

  /// The work for searching this many bytes once.
  ///
  /// An expression such as `.*?<BODY>.*?Success.*?</BODY>.*` takes a unit for each byte, and again for each
  /// `<BODY>`; most others take less than four for each byte. Measured with PCRE2 10.42, all of it takes 5 to 10 ms
  /// for a short text, 15 to 30 ms for 64 KiB, which probes keep of a body by default, and seconds for 16 MiB.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - isCancellable: Whether the cancellation of the task ends a search, as if the budget were spent.
  package init(bytes count: Int, isCancellable: Bool = false) {
    units = 500_000 + 16 * count
    self.isCancellable = isCancellable
  }

  /// Keeps what a search has left.
  mutating func keep(_ left: Int) {
    units = min(units, left)
  }
}

/// The memory that a search may take for backtracking.
struct MemoryLimits: Equatable {
  /// The depth of nested backtracking, used only by the interpreter.
  let depth: Int
  /// The memory in KiB, used only by the interpreter: 250 bytes per character for `(.|\n)*`.
  let heap: Int
  /// The stack size of machine code in bytes, for matches that need more than the default of 32 KiB.
  ///
  /// `(.|\n)*` needs 64 bytes per character: enough for several times the body size that probes keep by
  /// default, but not for a megabyte.
  let stack: Int

  /// The limits for a subject of this many bytes.
  init(subject count: Int) {
    depth = 100_000 + 3 * count
    heap = min(1024 + count / 4, 64 * 1024)
    stack = min(1024 * 1024 + 64 * count, 32 * 1024 * 1024)
  }
}
