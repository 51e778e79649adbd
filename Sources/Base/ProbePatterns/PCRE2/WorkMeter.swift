internal import CProbePCRE2

/// Counts the work of a search at the callouts of its pattern, and ends the search when it is spent.
///
/// A unit is the work of a callout, or of passing eight characters: 8 to 20 ns with machine code. No clock is
/// used, so the same subject always has the same result.
struct WorkMeter {
  /// The units left until the next check.
  private var units = 0
  /// The units left after that.
  private var reserve = 0
  /// How many units of the budget one unit is.
  private var scale = 1
  private var isCancellable = false
  private var automaticCost = 0
  private var refersToGroups = false
  /// The start of the attempt, and the position of its last callout.
  private var start = 0
  private var last = 0

  /// The units after which a search notices the cancellation of its task: about a millisecond.
  private static let step = 1 << 16

  /// Begins a search.
  mutating func begin(_ budget: WorkBudget, of pattern: borrowing Pattern, isTranslated: Bool) {
    // The interpreter takes longer.
    scale = isTranslated ? 1 : 3
    isCancellable = budget.isCancellable
    automaticCost = pattern.maximumRepeat >> 4
    refersToGroups = pattern.refersToGroups
    (units, reserve) = (0, budget.units)
    (start, last) = (-1, 0)
  }

  /// The units left.
  var left: Int { max(0, units + reserve) }

  /// Counts the work that a callout reports.
  ///
  /// - Returns: 0 to continue, or the error that ends the search.
  mutating func count(_ callout: borrowing Callout) -> Int32 {
    if callout.start != start { (start, last) = (callout.start, callout.start) }
    let passed = max(0, callout.position - last)
    last = callout.position
    var cost = 1 + passed >> 3
    switch callout.number {
    case CalloutPlacement.backReference: cost += callout.captured >> 3
    case CalloutPlacement.automatic: cost += automaticCost + (refersToGroups ? callout.captured >> 3 : 0)
    case let number: cost += (number * number) >> 4
    }
    units -= cost * scale
    return units >= 0 ? 0 : refill()
  }

  private mutating func refill() -> Int32 {
    guard reserve > 0, !(isCancellable && Task.isCancelled) else { return PCRE2_ERROR_CALLOUT }
    let taken = min(reserve, max(Self.step, 0 - units))
    reserve -= taken
    units += taken
    return units >= 0 ? 0 : PCRE2_ERROR_CALLOUT
  }

  /// The report of a callout.
  @safe struct Callout: ~Copyable {
    private let block: UnsafeMutablePointer<pcre2_callout_block_8>

    init(_ block: UnsafeMutablePointer<pcre2_callout_block_8>) {
      unsafe self.block = block
    }

    var number: Int { unsafe Int(clamping: block.pointee.callout_number) }
    var start: Int { unsafe block.pointee.start_match }
    var position: Int { unsafe block.pointee.current_position }

    /// The length of all groups together.
    var captured: Int {
      let offsets = unsafe block.pointee.offset_vector
      guard let offsets = unsafe offsets else { return 0 }
      return (1..<max(1, unsafe Int(clamping: block.pointee.capture_top))).reduce(0) { sum, group in
        let (start, end) = unsafe (offsets[2 * group], offsets[2 * group + 1])
        return sum + max(0, end - start)
      }
    }
  }
}
