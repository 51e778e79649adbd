internal import CProbeSystem
internal import ProbeBase
internal import Glibc

/// The start of a program as a child process: its file, arguments and surroundings.
///
/// The program starts with no signals blocked or ignored, as from a shell, and with no capability that this process was
/// given; see ``keepsCapabilities``.
package struct ProgramLaunch {
  /// The system's message about a process that could not be started.
  package struct NotStarted: Error, CustomStringConvertible {
    /// The system's error number.
    package let number: Int32

    /// The path of the program, if it is another one than the requested one.
    let path: String?

    /// Creates an error from the system's error number.
    package init(_ number: Int32) {
      (self.number, path) = (number, nil)
    }

    init(_ number: Int32, starting path: String) {
      (self.number, self.path) = (number, path)
    }

    package var description: String {
      let reason = unsafe String(cString: strerror(number))
      return path.map { "\($0): \(reason)" } ?? reason
    }
  }

  /// The standard descriptors of a process.
  package struct Descriptors {
    /// Its standard input; nil for an empty one.
    package var input: Int32?
    /// Its standard output.
    package var output: Int32
    /// Its standard error.
    package var errors: Int32

    package init(input: Int32?, output: Int32, errors: Int32) {
      (self.input, self.output, self.errors) = (input, output, errors)
    }
  }

  package var path: String
  /// Its name and its arguments.
  package var arguments: [String]
  /// All of its environment, as `NAME=value`.
  package var environment: [String]
  /// Its working directory, or nil for that of this process.
  package var folder: String?
  /// Its descriptors, or nil for those of this process.
  ///
  /// If they are set, no others are open, and the process has its own process group.
  package var descriptors: Descriptors?
  /// The data size limit of each of its processes in bytes, with core files disabled; nil to inherit limits.
  package var memory: Int?
  /// Whether it starts with the capabilities of this process.
  ///
  /// Otherwise it has those of its user without `CAP_NET_RAW`, which lets ProbeKit send pings, and would let the
  /// program send and receive any packet.
  package var keepsCapabilities = false
  /// Whether it is kept from what namespaces do not separate: keys of the kernel, `io_uring`, and sockets that do
  /// not belong to a network namespace, such as those between a virtual machine and its host.
  var isConfined = false

  /// The signal that its process group receives when this process has ended, even by SIGKILL.
  ///
  /// It is nil for a program that may outlive this process, and requires descriptors. ``stopGuarding(_:)`` must be called
  /// before the program's process is reaped.
  package var orphanSignal: Int32?

  /// Creates a program whose first argument is its path.
  package init(arguments: [String], environment: [String], descriptors: Descriptors? = nil) {
    path = arguments.first ?? ""
    (self.arguments, self.environment, self.descriptors) = (arguments, environment, descriptors)
  }

  /// Starts the program.
  ///
  /// - Returns: The process ID.
  package func start() throws(NotStarted) -> Int32 {
    guard let orphanSignal else { return try start(announcing: 0, on: nil) }
    return try ProgramGuard.shared.guarding(with: orphanSignal) { socket throws(NotStarted) in
      try start(announcing: orphanSignal, on: socket)
    }
  }

  /// Takes the orphan signal from a process that is reaped next, or may outlive this process from now on.
  package static func stopGuarding(_ process: Int32) { ProgramGuard.shared.forget(process) }

  func start(announcing signal: Int32, on socket: ProgramGuard.Socket?) throws(NotStarted) -> Int32 {
    var argumentList = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var environmentList = unsafe environment.map { unsafe strdup($0) } + [nil]
    let path = unsafe strdup(path)
    let folder = unsafe folder.flatMap { unsafe strdup($0) }
    defer {
      for index in unsafe argumentList.indices { unsafe free(argumentList[index]) }
      for index in unsafe environmentList.indices { unsafe free(environmentList[index]) }
      unsafe free(path)
      unsafe free(folder)
    }
    guard let path = unsafe path else { throw NotStarted(ENOMEM) }
    var failure: Int32 = 0
    let process = unsafe argumentList.withUnsafeMutableBufferPointer { arguments in
      unsafe environmentList.withUnsafeMutableBufferPointer { environment -> pid_t in
        guard let arguments = arguments.baseAddress, let environment = environment.baseAddress
        else { return -1 }
        var program = unsafe probe_program(
          path: path, arguments: arguments, environment: environment, folder: folder,
          input: descriptors?.input ?? -1, output: descriptors?.output ?? -1,
          errors: descriptors?.errors ?? -1,
          memory: UInt64(clamping: memory ?? 0), keeps_capabilities: keepsCapabilities,
          is_confined: isConfined, guard: socket?.number ?? -1,
          orphan_signal: signal)
        return unsafe probe_spawn(&program, &failure)
      }
    }
    guard process > 0 else { throw NotStarted(failure) }
    return process
  }
}

package enum ProcessEnd: Hashable, Sendable {
  /// It exited with this code.
  case code(Int32)
  /// It was terminated by this signal.
  case signal(Int32)

  /// From the status of waitpid(2).
  package init(status: Int32) {
    self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }
}
