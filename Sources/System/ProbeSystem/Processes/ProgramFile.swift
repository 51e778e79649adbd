internal import Glibc

/// The file of a program, found by the rules of a shell.
package enum ProgramFile {
  /// The kind of file at a path.
  package enum State: Hashable, Sendable {
    case runnable
    /// A folder, or a file that this user may not execute.
    case notRunnable
    case missing
  }

  /// The kind of file at a path.
  package static func state(of path: String) -> State {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return .missing }
    let isFile = facts.st_mode & S_IFMT == S_IFREG
    return unsafe isFile && access(path, X_OK) == 0 ? .runnable : .notRunnable
  }

  /// The kind of file of a command: a path if it contains a slash, or else a name to search for in PATH.
  package static func state(ofCommand name: String, path: String?) -> State {
    guard !name.isEmpty else { return .missing }
    guard !name.contains("/") else { return state(of: name) }
    return found(name, in: folders(ofPath: path)).map { state(of: $0) } ?? .missing
  }

  /// The folders of PATH, or the default ones if it is not set.
  static func folders(ofPath path: String?) -> [String] {
    (path ?? "/usr/bin:/bin").split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "." : String($0) }
  }

  /// The path of a program in the first folder that contains it, or else that of a non-executable file.
  static func found(_ name: String, in folders: [String]) -> String? {
    let paths = folders.map { "\($0)/\(name)" }
    return paths.first { state(of: $0) == .runnable } ?? paths.first { state(of: $0) == .notRunnable }
  }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The absolute path; a relative one starts at the folder, or at the working directory if that is empty.
  static func absolute(_ path: String, from folder: String = "") -> String {
    if path.hasPrefix("/") { return path }
    var base = folder
    if !base.hasPrefix("/") {
      guard let current = unsafe getcwd(nil, 0) else { return path }
      let working = unsafe String(cString: current)
      unsafe free(current)
      base = base.isEmpty ? working : absolute(base, from: working)
    }
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    if rest.isEmpty || rest == "." { return base }
    return base.hasSuffix("/") ? "\(base)\(rest)" : "\(base)/\(rest)"
  }

  /// The path of the running program, or nil if its file has been removed.
  package static var own: String? {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
