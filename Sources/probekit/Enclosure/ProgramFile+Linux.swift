import Glibc

/// A program as a file, found as a shell finds it.
enum ProgramFile {
  /// What a path is.
  enum State: Hashable, Sendable {
    case runnable
    /// A folder, or a file that this user may not execute.
    case notRunnable
    case missing
  }

  /// What a path is.
  static func state(of path: String) -> State {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return .missing }
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    return unsafe isFile && access(path, X_OK) == 0 ? .runnable : .notRunnable
  }

  /// What a command is: a path if it contains a slash, or else a name that is looked for in the folders of PATH.
  static func state(ofCommand name: String, path: String?) -> State {
    guard !name.isEmpty else { return .missing }
    guard !name.contains("/") else { return state(of: name) }
    let folders = (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
    let states = folders.map { state(of: $0.isEmpty ? "./\(name)" : "\($0)/\(name)") }
    return states.contains(.runnable) ? .runnable : states.contains(.notRunnable) ? .notRunnable : .missing
  }

  /// The path of the program that is running, or nil if its file has been removed.
  static var own: String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
