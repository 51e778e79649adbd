/// What holds compiled patterns, which take work and memory to make, such as a validator.
package protocol Compiled: Sendable {
  /// About how many bytes its patterns take; each of them takes some 10 ns to make.
  var compiledSize: Int { get }
}

/// What is compiled for one file while it is read: equal parts are made once, and all of them together are bounded.
package final class CompiledParts {
  /// How many bytes may be compiled for one file.
  package static let capacity = 8 << 20
  /// What a part counts for that turned out to be wrong: most of the work may have been done by then.
  private static let wrongSize = 64 << 10
  /// Where a decoder has them for the types that it decodes.
  package static let key = CodingUserInfoKey(rawValue: "ProbeKit.CompiledParts")

  private var known: [AnyHashable: Result<any Compiled, any Error>] = [:]
  private var used = 0
  /// Whether it was told that there is no room left; whoever reads on leaves parts out, and tells nothing of them.
  package private(set) var hasToldThatTheyAreTooMany = false

  /// None yet.
  package init() {}

  /// What a decoder is to tell the types that it decodes.
  package var userInfo: [CodingUserInfoKey: any Sendable] { Self.key.map { [$0: self] } ?? [:] }

  /// The part that was made for an equal key, or a new one.
  ///
  /// - Parameters:
  ///   - key: What it is made of, or nil for what cannot be compared.
  ///   - make: Makes it.
  /// - Returns: The part.
  /// - Throws: What `make` throws; `InvalidInput` when there is no room for it.
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
    hasToldThatTheyAreTooMany = true
    return InvalidInput(
      "the patterns up to here take more than the \(Self.capacity >> 20) MiB that a file may have for them",
      remedy: "use fewer or smaller ones; those behind this one were not checked")
  }
}

// Safe because one thread alone reads a file; decoders ask that what they are told could be shared.
extension CompiledParts: @unchecked Sendable {}
