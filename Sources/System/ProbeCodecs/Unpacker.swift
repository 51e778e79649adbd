/// Decompresses a format incrementally.
package protocol Unpacker: AnyObject {
  /// Whether the bytes so far are complete.
  var isWhole: Bool { get }

  /// Decompresses the next bytes as far as there is room.
  ///
  /// If the output buffer is full, there may be more output, even if all input has been consumed.
  ///
  /// - Parameters:
  ///   - packed: Compressed bytes.
  ///   - offset: The index of the first byte to read, which is advanced past the consumed ones.
  ///   - room: The output buffer, filled from its start.
  /// - Returns: The number of output bytes, even if the input after them is invalid, and the state.
  func unpack(
    _ packed: Span<UInt8>, _ offset: inout Int, into room: inout [UInt8]
  ) -> (count: Int, state: UnpackingState)
}

/// The state of decompression.
package enum UnpackingState: Sendable {
  /// More input or more room is needed.
  case running
  /// The end was reached; further bytes are not part of the data.
  case ended
  /// The input is invalid.
  case broken
  case noMemory
}
