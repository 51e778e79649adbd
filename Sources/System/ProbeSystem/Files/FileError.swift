internal import Glibc

/// The reason why a file cannot be opened, read or written.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system error number (errno(3)), or 0 if it is not a system error.
  package let systemCode: Int32
  /// A description of the error, without the path.
  package let description: String

  /// An error other than one of the system.
  package init(_ description: String) {
    systemCode = 0
    self.description = description
  }

  init(systemCode: Int32, description: String) {
    self.systemCode = systemCode
    self.description = description
  }

  /// A path that is empty, or has a NUL, at which the system would truncate it.
  static let unusablePath = FileError("the path cannot be used")
  /// The task was cancelled while waiting for the other end of a pipe.
  static let cancelled = FileError("interrupted while waiting for it")
}

extension FileError {
  init(systemCode code: Int32) {
    self.init(systemCode: code, description: unsafe String(cString: strerror(code)))
  }

  static var ofLastCall: FileError { FileError(systemCode: errno) }

  /// Whether the process or the system has run out of descriptors.
  package var isShortageOfDescriptors: Bool { systemCode == EMFILE || systemCode == ENFILE }
}
