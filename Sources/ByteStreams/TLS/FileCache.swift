internal import Files
internal import Locking

/// Values read from files, each kept until one of its files changes.
///
/// Each use compares the files' signatures, which takes a thousandth of the time of a handshake.
final class FileCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The most that is kept; a program may name file after file.
  private static var capacity: Int { 32 }

  private struct Entry: Sendable {
    let signatures: [FileSignature?]
    let value: Value
  }

  private let entries = Guarded<[Key: Entry]>([:])

  /// What these files hold.
  ///
  /// - Parameters:
  ///   - key: What it is known by.
  ///   - files: The files that it is read from.
  ///   - isInUse: Whether what was read before serves on while the files cannot be used: they may be half written, or
  ///     one of two may have been replaced. Otherwise the error is thrown.
  ///   - read: Reads the files.
  /// - Returns: What was read, now or before.
  /// - Throws: What `read` throws.
  func value<Failure: Error>(
    for key: Key, of files: [String], isInUse: Bool, read: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try entries.withLock { entries throws(Failure) in
      let former = entries[key]
      // From before they are read: what changes meanwhile is read once more.
      let signatures = files.map { FileSignature(of: $0) }
      if let former, former.signatures == signatures { return former.value }
      do throws(Failure) {
        let value = try read()
        if former == nil, entries.count >= Self.capacity { entries.removeAll() }
        entries[key] = Entry(signatures: signatures, value: value)
        return value
      } catch {
        guard isInUse, let former else { throw error }
        return former.value
      }
    }
  }
}
