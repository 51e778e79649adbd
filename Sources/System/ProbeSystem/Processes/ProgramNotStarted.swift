internal import Glibc
internal import ProbeBase

/// The reason why a program could not be started, with the remedy.
package struct ProgramNotStarted: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, as a sentence without a period.
  package let description: String

  /// Creates an error from a sentence.
  init(_ description: String) {
    self.description = description
  }

  /// This process or the machine has too few descriptors.
  static let noDescriptor = ProgramNotStarted(
    "no file descriptor is left for a program; raise the limit (ulimit -n), or run fewer at the same time")
  /// This process or the machine has too few processes or threads.
  static let noProcess = ProgramNotStarted(
    "the system permits no further process; raise the limit (ulimit -u), or run fewer at the same time")
}

extension ProgramNotStarted {
  /// Creates an error from the system's error number for an existing file.
  ///
  /// - Parameters:
  ///   - number: The error number, from execve(2) or an earlier step.
  ///   - path: The path of the program.
  init(_ number: Int32, starting path: String) {
    switch number {
    case EMFILE, ENFILE: self = .noDescriptor
    case EAGAIN, ENOMEM: self = .noProcess
    // The file exists, so the interpreter named in its first line is missing.
    case ENOENT: self = Self.missingInterpreter(of: path)
    case ENOEXEC: self = Self.unknownFormat(path)
    case E2BIG:
      self.init("the arguments of \(path.escapedForDisplay) are too long for the system; shorten them")
    case ETXTBSY:
      self.init("\(path.escapedForDisplay) is being written; wait until that is done")
    // Usually "capability-dumb binaries", capabilities(7).
    case EPERM:
      self.init(
        "the system does not permit to start \(path.escapedForDisplay): its file may need a capability such as "
          + "CAP_NET_RAW, which no program of root's ProbeKit has; run ProbeKit as another user")
    case EACCES:
      self.init(
        "\(path.escapedForDisplay) or its interpreter may not be executed here; check the permissions, "
          + "and whether its file system is mounted with noexec")
    default:
      let reason = unsafe String(cString: strerror(number))
      self.init("\(path.escapedForDisplay) cannot be started: \(reason)")
    }
  }

  /// A file that is neither a script nor a binary of this machine.
  static func unknownFormat(_ path: String) -> ProgramNotStarted {
    let isScript = ProgramHead(of: path).interpreter != nil
    return ProgramNotStarted(
      isScript
        ? "the interpreter of \(path.escapedForDisplay) is not a binary of this machine; correct its first line"
        : "\(path.escapedForDisplay) is neither a script nor a binary of this machine; the first line of a "
          + "script is that of its interpreter, such as #!/bin/sh")
  }

  private static func missingInterpreter(of path: String) -> ProgramNotStarted {
    let file = path.escapedForDisplay
    guard let interpreter = ProgramHead(of: path).interpreter else {
      return ProgramNotStarted("\(file) needs a loader or library that this machine lacks; install it")
    }
    if interpreter.hasSuffix("\r") {
      return ProgramNotStarted(
        "the first line of \(file) ends with a carriage return; save the file with line ends of Unix (LF)")
    }
    return ProgramNotStarted(
      "the interpreter of \(file) does not exist: \(interpreter.escapedForDisplay); install it, or correct "
        + "the first line")
  }
}

/// The beginning of a program's file, which determines how it is executed.
struct ProgramHead {
  /// The bytes; nil if the file cannot be read.
  private let bytes: [UInt8]?

  /// Reads the beginning of a file.
  init(of path: String) {
    let file = try? FileStream(path)
    bytes = file?.size == nil ? nil : try? file?.read(upTo: 256)
  }

  /// Whether it is that of a script or a binary; a file that may be executed but not read counts as one.
  var isExecutable: Bool {
    bytes.map { $0.starts(with: "#!".utf8) || $0.starts(with: "\u{7F}ELF".utf8) } ?? true
  }

  /// The interpreter's path in the first line of a script, or nil if the file is not a script.
  var interpreter: String? {
    guard let bytes, bytes.starts(with: "#!".utf8) else { return nil }
    let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
    let words = line.split(whereSeparator: \.isFieldSpace)
    return words.first.map { String(decoding: $0, as: UTF8.self) }
  }
}
