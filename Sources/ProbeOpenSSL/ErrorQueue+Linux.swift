internal import Glibc

extension ErrorQueue {
  /// Whether an error is the operating system's, for want of a file descriptor.
  static func isShortageOfDescriptors(_ packed: UInt) -> Bool {
    // OpenSSL marks the system's errors by this bit, and keeps errno below it (ERR_SYSTEM_ERROR).
    guard packed & 0x8000_0000 != 0 else { return false }
    return [EMFILE, ENFILE].contains(Int32(packed & 0x7FFF_FFFF))
  }
}
