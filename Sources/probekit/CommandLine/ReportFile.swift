import ProbeFiles
import ProbeLocking

/// A file with a report, which appears whole or not at all.
///
/// Whoever reads it, such as a collector of metrics, sees the report before or the new one, never a part. What is no
/// regular file, such as a pipe, is written to as it is.
final class ReportFile: Sendable {
  private enum Writing {
    case file(PendingFile)
    case stream(OutputDescriptor)
  }

  /// Where the report goes.
  let sink: OutputSink
  private let writing: Writing

  /// Prepares the file, so that a place where nothing can be written is noticed before anything is probed.
  ///
  /// - Parameters:
  ///   - path: Where the file goes. A link of this user stays a link: the file it leads to is replaced.
  ///   - isPrivate: Whether nobody but its owner may read it, whatever the mode is of the file that stood there.
  /// - Throws: ``OutputSink/Failure`` with the system's words.
  init(_ path: String, isPrivate: Bool = false) throws(OutputSink.Failure) {
    do throws(FileError) {
      let place = try OutputPlace(path)
      let output: OutputDescriptor
      switch place.occupant {
      case .stream, .folder:
        output = OutputDescriptor(try place.openStream(), isOwned: true)
        writing = .stream(output)
      case .nothing, .file:
        let file = try PendingFile(at: place, isPrivate: isPrivate)
        output = OutputDescriptor(file.descriptor)
        writing = .file(file)
      }
      sink = OutputSink(bufferSize: 1 << 16) { bytes throws(OutputSink.Failure) in try output.write(bytes) }
    } catch {
      throw OutputSink.Failure(error.description)
    }
  }

  /// Checks whether a report can be written, and leaves everything as it is; a pipe or another stream is not opened.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's words.
  static func check(_ path: String) throws(OutputSink.Failure) {
    do throws(FileError) {
      if try OutputPlace(path).occupant == .stream { return }
    } catch {
      throw OutputSink.Failure(error.description)
    }
    try ReportFile(path).discard()
  }

  /// Puts the file in its place.
  ///
  /// - Parameter isDurable: Whether its contents must be on the disk before.
  /// - Throws: ``OutputSink/Failure`` when not all of it could be written or it cannot be put there; what stood there
  ///   before is untouched then.
  func commit(isDurable: Bool = false) throws(OutputSink.Failure) {
    sink.flush()
    if let failure = sink.failure { throw failure }
    guard case .file(let file) = writing else { return }
    do throws(FileError) { try file.commit(isDurable: isDurable) } catch {
      throw OutputSink.Failure(error.description)
    }
  }

  /// Gives the file up, unless it stands in its place already.
  func discard() {
    if case .file(let file) = writing { file.discard() }
  }
}
