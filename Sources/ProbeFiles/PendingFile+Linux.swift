internal import Glibc
internal import Synchronization

/// A file that appears whole at its place, or not at all: written under another name beside it, and renamed at the end.
///
/// Whoever reads it sees what stood there before or the new file, never a part.
package final class PendingFile: Sendable {
  private let place: OutputPlace
  private let temporaryName: String
  private let file: Descriptor
  private let isPending = Atomic(true)

  /// Makes the file, still empty.
  ///
  /// - Parameters:
  ///   - place: Where it goes.
  ///   - isPrivate: Whether nobody but its owner may read it. Otherwise it has the permissions of this user's file that
  ///     stands there, or those of a new one.
  /// - Throws: ``FileError`` when nothing can be made there.
  package init(at place: OutputPlace, isPrivate: Bool = false) throws(FileError) {
    self.place = place
    temporaryName = OutputPlace.temporaryName()
    file = try Descriptor(
      open: temporaryName, in: place.folder, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      mode: isPrivate ? 0o600 : 0o666)
    // Somebody else's file may have been put there for its permissions.
    if !isPrivate, case .file(let mode, true) = place.occupant { fchmod(file.number, mode) }
  }

  deinit { discard() }

  /// Where to write, until it is committed or discarded.
  package var descriptor: Int32 { file.number }

  /// Puts the file in its place.
  ///
  /// - Throws: ``FileError`` when not all of it could be written, or it cannot be put there; what stood there before is
  ///   untouched then.
  package func commit() throws(FileError) {
    try file.close()
    guard isPending.load(ordering: .relaxed) else { return }
    try place.put(temporaryName)
    isPending.store(false, ordering: .relaxed)
  }

  /// Gives the file up, unless it stands in its place already.
  package func discard() {
    try? file.close()
    guard isPending.exchange(false, ordering: .relaxed) else { return }
    unsafe unlinkat(place.folder.number, temporaryName, 0)
  }
}

extension OutputPlace {
  /// Looks whether something can be made there.
  ///
  /// - Throws: ``FileError`` when the folder does not let this user.
  package func checkWritable() throws(FileError) {
    guard unsafe faccessat(folder.number, ".", W_OK | X_OK, AT_EACCESS) == 0 else { throw .ofLastCall }
  }

  /// Writes a folder of files: it appears whole, in the place of nothing or of an empty folder.
  ///
  /// - Throws: ``FileError``; then nothing stands there that did not before.
  package func writeFolder(_ files: [(name: String, bytes: [UInt8])]) throws(FileError) {
    let temporary = Self.temporaryName()
    guard unsafe mkdirat(folder.number, temporary, 0o777) == 0 else { throw .ofLastCall }
    var made: Descriptor?
    do throws(FileError) {
      let new = try Descriptor(open: temporary, in: folder, Descriptor.placeOnly | O_DIRECTORY | O_NOFOLLOW)
      made = new
      for (name, bytes) in files {
        let file = try Descriptor(
          open: name, in: new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
        try file.write(bytes)
        try file.close()
      }
      try put(temporary)
    } catch {
      if let made { for file in files { unsafe unlinkat(made.number, file.name, 0) } }
      unsafe unlinkat(folder.number, temporary, AT_REMOVEDIR)
      throw error
    }
  }

  /// Puts what stands beside the place there; a link that stands there is replaced itself.
  fileprivate func put(_ temporary: String) throws(FileError) {
    guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else { throw .ofLastCall }
  }

  /// A name that collectors of metrics do not take for one of theirs.
  fileprivate static func temporaryName() -> String {
    ".probekit-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
  }
}

extension Descriptor {
  fileprivate func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .ofLastCall }
      rest = rest.dropFirst(count)
    }
  }
}
