/// Undoes the packing of some format, as the packed bytes come.
package protocol Unpacker: AnyObject {
  /// Whether the bytes so far are a whole.
  var isWhole: Bool { get }

  /// Unpacks the next bytes as far as there is room.
  ///
  /// There is more to unpack as long as the room is filled, also when all bytes are taken.
  ///
  /// - Parameters:
  ///   - packed: Packed bytes.
  ///   - place: The first one that was not taken; moves behind those that are.
  ///   - room: Where the unpacked bytes go, from the first on.
  /// - Returns: How many those are, also when the bytes break behind them, and what it has come to.
  func unpack(
    _ packed: Span<UInt8>, _ place: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState)
}

/// What unpacking has come to.
package enum UnpackingState: Sendable {
  /// More bytes or more room are wanted.
  case going
  /// The end; what follows is no part of it.
  case ended
  /// The bytes are none of the format.
  case broken
  /// The machine has no memory for it.
  case noMemory
}
