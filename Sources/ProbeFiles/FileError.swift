/// Why a file cannot be opened, read or written.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's number for it (errno(3)), or 0 where the system has no objection.
  package let systemCode: Int32
  /// Why, without the path.
  package let description: String

  /// A file that cannot be used for a reason of ours.
  package init(_ description: String) {
    systemCode = 0
    self.description = description
  }

  init(systemCode: Int32, description: String) {
    self.systemCode = systemCode
    self.description = description
  }

  /// A path that names no file: an empty one, or one with a NUL, which would be opened under its first part.
  static let unusablePath = FileError("the path cannot be used")
  /// What is read or written is a pipe that nobody else uses, and the task was cancelled meanwhile.
  static let cancelled = FileError("interrupted while waiting for it")
}
