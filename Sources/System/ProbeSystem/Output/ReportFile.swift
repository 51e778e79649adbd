import Glibc
import ProbeBase

/// A report file that is replaced atomically.
///
/// A reader, such as a metrics collector, sees the previous report or the new one, never a part. Anything other than a
/// regular file, such as a pipe, is written to directly.
package final class ReportFile: Sendable {
  private enum Writing {
    case file(PendingFile)
    case stream(OutputDescriptor)
  }

  package let sink: OutputSink
  private let writing: Writing

  /// Prepares the file, so that an unwritable location is reported before the first probe.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A symbolic link owned by this user is kept: its target is replaced.
  ///   - isPrivate: Whether only its owner may read it, regardless of the mode of an existing file.
  /// - Throws: ``OutputSink/Failure`` with the system's error message.
  package init(_ path: String, isPrivate: Bool = false) throws(OutputSink.Failure) {
    do throws(FileError) {
      let destination = try OutputDestination(path)
      let output: OutputDescriptor
      switch destination.occupant {
      case .stream, .folder:
        output = OutputDescriptor(try destination.openStream(), isOwned: true)
        writing = .stream(output)
      case .nothing, .file:
        let file = try PendingFile(at: destination, isPrivate: isPrivate)
        output = OutputDescriptor(file.descriptor)
        writing = .file(file)
      }
      sink = OutputSink(bufferSize: 1 << 16) { bytes throws(OutputSink.Failure) in try output.write(bytes) }
    } catch {
      throw OutputSink.Failure(error.description)
    }
  }

  /// Checks whether a report can be written, without changing anything; a pipe or another stream is not opened.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's error message.
  package static func check(_ path: String) throws(OutputSink.Failure) {
    do throws(FileError) {
      if try OutputDestination(path).occupant == .stream { return }
    } catch {
      throw OutputSink.Failure(error.description)
    }
    try ReportFile(path).discard()
  }

  /// Moves the file to its path.
  ///
  /// - Parameter isDurable: Whether the contents must reach the disk first.
  /// - Throws: ``OutputSink/Failure`` if the file could not be written completely or moved; an existing file is
  ///   unchanged then.
  package func commit(isDurable: Bool = false) throws(OutputSink.Failure) {
    sink.flush()
    if let failure = sink.failure { throw failure }
    guard case .file(let file) = writing else { return }
    do throws(FileError) { try file.commit(isDurable: isDurable) } catch {
      throw OutputSink.Failure(error.description)
    }
  }

  /// Discards the file, unless it has been moved to its path.
  package func discard() {
    if case .file(let file) = writing { file.discard() }
  }
}

extension ReportFile {
  /// Creates the missing folders in a file's path.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's error message.
  package static func makeFolders(of path: String) throws(OutputSink.Failure) {
    var folder = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
      folder += part + "/"
      guard folder != "/" else { continue }
      if unsafe mkdir(folder, 0o777) != 0, errno != EEXIST { throw .lastError }
    }
  }
}
