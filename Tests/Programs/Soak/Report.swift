private import Glibc

/// Prints lines immediately, so that none is lost if the program crashes.
enum Report {
  /// Prints a line.
  static func line(_ text: String) {
    var rest = Array("\(text)\n".utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
