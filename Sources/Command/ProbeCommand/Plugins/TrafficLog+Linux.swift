import FoundationEssentials
import Glibc
import ProbeCore
import ProbeJSON
import ProbeBase
import ProbeSystem
import CommandKit

/// A log of the messages of a plugin: a file with one JSON object on each line.
final class TrafficLog: Sendable {
  private let output: OutputDescriptor
  private let problem = Guarded<String?>(nil)

  /// Opens the file; a new file is readable only by its owner.
  ///
  /// - Throws: `InvalidInput` with the system's error message.
  init(_ path: String) throws(InvalidInput) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw InvalidInput("\(Excerpt(path, limit: 200)) cannot be written: \(reason.lowercased())")
    }
    output = OutputDescriptor(descriptor, isOwned: true)
  }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - line: The line; one that is not JSON is added as a text.
  ///   - isFromPlugin: Whether the plugin wrote it.
  func add(_ line: [UInt8], isFromPlugin: Bool) {
    let time = Date().inMilliseconds
    let text = String(decoding: line, as: UTF8.self)
    let isMessage = (try? JSONParser(maximumLength: line.count).value(of: line)) != nil
    let content = isMessage ? "\"message\":\(text)" : "\"text\":\(text.quotedInJSON)"
    let entry = "{\"time\":\"\(time)\",\"from\":\"\(isFromPlugin ? "plugin" : "probekit")\",\(content)}\n"
    do throws(OutputSink.Failure) { try output.write(Array(entry.utf8)) } catch {
      problem.withLock { $0 = $0 ?? error.message }
    }
  }

  /// The reason why a line could not be written, or nil.
  var failure: String? { problem.withLock(\.self) }
}
