internal import Locking

/// Values that take long to make, each made by the first who needs it; who needs another one does not wait for that.
final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The value of a key, once it was made, or that none can be.
  private enum Cell: Sendable {
    case empty
    case made(Value?)
  }

  private let cells = Guarded<[Key: Guarded<Cell>]>([:])

  /// The value for a key.
  ///
  /// - Parameters:
  ///   - key: The key; there are only so many.
  ///   - make: Makes the value; nil when there is none.
  /// - Returns: What was made, now or before.
  func value(for key: Key, _ make: (Key) -> Value?) -> Value? {
    let cell = cells.withLock { cells in
      if let cell = cells[key] { return cell }
      let cell = Guarded(Cell.empty)
      cells[key] = cell
      return cell
    }
    return cell.withLock { cell in
      if case .made(let value) = cell { return value }
      let value = make(key)
      cell = .made(value)
      return value
    }
  }
}
