internal import Glibc
internal import ProbeCore

/// Runs a program in bubblewrap (bwrap(1)), without network access and with only its own and system files.
struct Sandbox {
  /// The size of each of its folders for temporary files, in bytes.
  let memory: Int

  /// The folders of programs and libraries, some of which are links to others.
  private static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
  ]
  /// The files below /etc that dynamic linking and the links of alternatives need.
  private static let systemFiles = ["/etc/ld.so.cache", "/etc/alternatives"]

  /// The process of bubblewrap to start in place of a program.
  ///
  /// - Parameters:
  ///   - program: The process.
  ///   - path: The PATH to search for bubblewrap.
  /// - Returns: The process of bubblewrap.
  /// - Throws: ``ProgramNotStarted`` if there is no bubblewrap.
  func enclosing(_ program: SpawnedProgram, searching path: String?) throws(ProgramNotStarted)
    -> SpawnedProgram
  {
    guard let wrapper = ProgramFile.found("bwrap", in: ProgramFile.folders(ofPath: path)) else {
      throw ProgramNotStarted(
        "a sandbox needs bubblewrap, which this machine lacks; install the package bubblewrap, or leave out "
          + "sandbox")
    }
    var enclosed = program
    enclosed.path = ProgramFile.absolute(wrapper)
    enclosed.arguments =
      ["bwrap"] + arguments(for: program.path, links: Self.links) + ["--", program.path]
      + program.arguments.dropFirst()
    // Its working directory is not visible inside.
    enclosed.folder = nil
    return enclosed
  }

  /// The options of bwrap(1).
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - links: The system's folders, with the target of each that is a link.
  /// - Returns: The options up to the program.
  func arguments(for path: String, links: [(folder: String, target: String?)]) -> [String] {
    let size = String(memory)
    // A separate session, so that the program cannot inject input into the user's terminal (CVE-2017-5226).
    var arguments = ["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for (folder, target) in links {
      arguments += target.map { ["--symlink", $0, folder] } ?? ["--ro-bind", folder, folder]
    }
    for file in Self.systemFiles { arguments += ["--ro-bind-try", file, file] }
    arguments += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ["/dev/shm", "/tmp"] { arguments += ["--size", size, "--tmpfs", folder] }
    if !links.contains(where: { path.hasPrefix("\($0.folder)/") }) { arguments += ["--ro-bind", path, path] }
    return arguments + ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
  }

  /// The reason why bubblewrap did not start the program, if it did not.
  ///
  /// - Parameters:
  ///   - code: The exit code.
  ///   - errors: The standard error, which begins with `bwrap: ` only if the program was not started.
  /// - Returns: The reason, or nil.
  static func failure(_ code: Int, errors: [UInt8]) -> ProgramNotStarted? {
    guard code == 1, errors.starts(with: "bwrap: ".utf8) else { return nil }
    let reason = String(decoding: errors.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self).escapedForDisplay
    let isForbidden = ["namespace", "uid map", "Operation not permitted"].contains { reason.contains($0) }
    return ProgramNotStarted(
      isForbidden
        ? "this system does not permit the sandbox (\(reason)); permit user namespaces, such as with sysctl "
          + "kernel.unprivileged_userns_clone=1 or kernel.apparmor_restrict_unprivileged_userns=0, or leave "
          + "out sandbox"
        : "the program does not start in the sandbox (\(reason)); its interpreter must be below /usr, and it "
          + "sees no file but its own")
  }

  /// The existing system folders, with the target of each that is a link.
  private static var links: [(folder: String, target: String?)] {
    systemFolders.filter(ProgramFile.isFolder).map { folder in
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe bytes.withUnsafeMutableBytes { room in
        unsafe room.baseAddress.map { unsafe readlink(folder, $0, room.count) } ?? -1
      }
      return (folder, count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil)
    }
  }
}
