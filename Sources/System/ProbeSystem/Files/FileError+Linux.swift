internal import Glibc

extension FileError {
  /// An error with a system error number.
  init(systemCode code: Int32) {
    self.init(systemCode: code, description: unsafe String(cString: strerror(code)))
  }

  /// The error of the last system call.
  static var ofLastCall: FileError { FileError(systemCode: errno) }

  /// Whether the process or the system has run out of descriptors.
  package var isShortageOfDescriptors: Bool { systemCode == EMFILE || systemCode == ENFILE }
}
