internal import Glibc

extension FileError {
  /// What a number of the system's says.
  init(systemCode code: Int32) {
    self.init(systemCode: code, description: unsafe String(cString: strerror(code)))
  }

  /// What a call of the system has just said.
  static var ofLastCall: FileError { FileError(systemCode: errno) }

  /// Whether this process, or the system, has no descriptor left.
  package var isShortageOfDescriptors: Bool { systemCode == EMFILE || systemCode == ENFILE }
}
