/// A value, such as a validator, that contains compiled patterns, which cost time and memory.
package protocol Compiled: Sendable {
  /// The approximate size of its patterns in bytes; compiling takes about 10 ns per byte.
  var compiledSize: Int { get }
}

/// A cache of what is compiled while one file is read: equal parts are compiled once, and their total size is
/// bounded.
package final class CompiledParts {
  /// The maximum size compiled for one file, in bytes.
  package static let capacity = 8 << 20
  /// The size counted for a part that turns out to be invalid, because most of the work may have been done by
  /// then.
  private static let wrongSize = 64 << 10
  /// The key under which a decoder passes the cache to the types it decodes.
  package static let key = CodingUserInfoKey(rawValue: "ProbeKit.CompiledParts")

  private var known: [AnyHashable: Result<any Compiled, any Error>] = [:]
  private var used = 0
  /// Whether the error that the size limit is reached was reported.
  ///
  /// After that, the reader skips further parts without an error for each.
  package private(set) var hasReportedTooMany = false

  package init() {}

  /// The `userInfo` of a decoder that passes the cache to the types it decodes.
  package var userInfo: [CodingUserInfoKey: any Sendable] { Self.key.map { [$0: self] } ?? [:] }

  /// Returns the part that was made for an equal key, or makes one.
  ///
  /// - Parameters:
  ///   - key: The input that determines the part, or nil if it cannot be compared.
  ///   - make: Makes the part.
  /// - Returns: The part.
  /// - Throws: The error that `make` throws; `InvalidInput` if the size limit is reached.
  package func part<Part: Compiled>(for key: AnyHashable?, make: () throws -> Part) throws -> Part {
    if let key, let made = known[key], let part = try made.get() as? Part { return part }
    guard used <= Self.capacity else { throw tooMany }
    let made = Result { try make() }
    used += (try? made.get().compiledSize) ?? Self.wrongSize
    let part = try remember(made, for: key).get()
    guard used <= Self.capacity else { throw tooMany }
    return part
  }

  private func remember<Part: Compiled>(
    _ made: Result<Part, any Error>, for key: AnyHashable?
  ) -> Result<Part, any Error> {
    if let key { known[key] = made.map { $0 } }
    return made
  }

  private var tooMany: InvalidInput {
    hasReportedTooMany = true
    return InvalidInput(
      "the patterns up to here take more than the \(Self.capacity >> 20) MiB that a file may have for them",
      remedy: "use fewer or smaller ones; those after this one were not checked")
  }
}

// Safe because only one thread reads a file; the `userInfo` of a decoder must be Sendable.
extension CompiledParts: @unchecked Sendable {}
