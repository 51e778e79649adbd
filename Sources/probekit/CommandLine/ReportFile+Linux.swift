import Glibc
import Locking

/// A file that appears whole, or not at all: written under another name beside its place, and put there at the end.
///
/// Whoever reads it, such as a collector of metrics, sees the report before or the new one, never a part. What is no
/// regular file, such as a pipe, is written to as it is.
final class ReportFile: Sendable {
  private struct State {
    /// -1 once it is closed.
    var descriptor: Int32
    /// The name it is written under, or nil when there is nothing to be put in place.
    var temporaryPath: String?
  }

  /// Where the report goes.
  let sink: OutputSink
  private let target: String
  private let state: Guarded<State>

  /// Prepares the file, so that a place where nothing can be written is noticed before anything is probed.
  ///
  /// - Parameters:
  ///   - path: Where the file goes.
  ///   - isPrivate: Whether nobody but its owner may read it, whatever the mode is of the file that stood there.
  /// - Throws: ``OutputSink/Failure`` with the system's words.
  init(_ path: String, isPrivate: Bool = false) throws(OutputSink.Failure) {
    // A link stays a link: the file it leads to is replaced.
    let target = Self.resolved(path)
    let opened =
      try Self.isSpecial(target)
      ? Self.open(target) : Self.makeTemporary(for: target, isPrivate: isPrivate)
    self.target = target
    state = Guarded(opened)
    let descriptor = opened.descriptor
    sink = OutputSink(bufferSize: 1 << 16) { bytes throws(OutputSink.Failure) in
      try DescriptorOutput.write(bytes, to: descriptor)
    }
  }

  deinit { discard() }

  /// Puts the file in its place.
  ///
  /// - Throws: ``OutputSink/Failure`` when not all of it could be written or it cannot be put there; what stood there
  ///   before is untouched then.
  func commit() throws(OutputSink.Failure) {
    sink.flush()
    if let failure = sink.failure { throw failure }
    try state.withLock { state throws(OutputSink.Failure) in
      guard state.descriptor >= 0 else { return }
      // Some file systems tell only now that there is no room.
      let isClosed = close(state.descriptor) == 0
      state.descriptor = -1
      guard isClosed else { throw .lastError }
      guard let temporary = state.temporaryPath else { return }
      guard unsafe rename(temporary, target) == 0 else { throw .lastError }
      state.temporaryPath = nil
    }
  }

  /// Gives the file up, unless it stands in its place already.
  func discard() {
    state.withLock { state in
      if state.descriptor >= 0 { close(state.descriptor) }
      state.descriptor = -1
      if let path = state.temporaryPath { unsafe unlink(path) }
      state.temporaryPath = nil
    }
  }
}

extension ReportFile {
  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG
  }

  private static func open(_ path: String) throws(OutputSink.Failure) -> State {
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .lastError }
    return State(descriptor: descriptor)
  }

  private static func makeTemporary(
    for path: String, isPrivate: Bool
  ) throws(OutputSink.Failure) -> State {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    // Not a name that collectors of metrics would take for theirs.
    let name = "\(folder).probekit-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
    let mode: mode_t = isPrivate ? 0o600 : 0o666
    let descriptor = unsafe Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw .lastError }
    // A file that is replaced hands its mode on.
    var status = stat()
    if !isPrivate, unsafe stat(path, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    return State(descriptor: descriptor, temporaryPath: name)
  }
}
