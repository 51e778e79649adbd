internal import Glibc

extension ErrorQueue {
  /// Whether it is an error of the operating system due to a lack of file descriptors.
  static func isShortageOfDescriptors(_ packed: UInt) -> Bool {
    // OpenSSL marks system errors with this bit, and stores errno in the lower ones (ERR_SYSTEM_ERROR).
    guard packed & 0x8000_0000 != 0 else { return false }
    return [EMFILE, ENFILE].contains(Int32(truncatingIfNeeded: packed & 0x7FFF_FFFF))
  }
}
