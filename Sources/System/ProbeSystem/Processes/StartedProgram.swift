internal import CProbeSystem
internal import Glibc

/// A child process with pipes for its standard descriptors, and a descriptor that reports its exit.
///
/// It must be reaped by ``reap()`` or ``abandon()``.
struct StartedProgram {
  /// Its process ID, which is also that of its group.
  let process: pid_t
  /// The descriptor that becomes readable when it has ended (pidfd_open(2)).
  let exitDescriptor: Int32
  /// The ends of its pipes; -1 once they are closed.
  private(set) var input, output, errors: Int32

  /// Starts a program.
  ///
  /// - Throws: ``ProgramNotStarted``; all resources are then released.
  init(_ program: ProgramLaunch) throws(ProgramNotStarted) {
    var pipes: [SystemPipe] = []
    for _ in 0..<3 {
      let pipe = SystemPipe()
      if let pipe { pipes.append(pipe) }
      guard let pipe, !probe_descriptor_is_reserved(pipe.writing) else {
        for pipe in pipes { pipe.close() }
        throw .noDescriptor
      }
    }
    let (input, output, errors) = (pipes[0], pipes[1], pipes[2])
    var program = program
    program.orphanSignal = SIGKILL
    program.descriptors = .init(input: input.reading, output: output.writing, errors: errors.writing)
    do throws(ProgramLaunch.NotStarted) {
      process = try program.start()
    } catch {
      for pipe in pipes { pipe.close() }
      throw ProgramNotStarted(error.number, starting: error.path ?? program.path)
    }
    for descriptor in [input.reading, output.writing, errors.writing] { Glibc.close(descriptor) }
    (self.input, self.output, self.errors) = (input.writing, output.reading, errors.reading)
    for descriptor in [self.input, self.output, self.errors] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    exitDescriptor = probe_process_descriptor(process)
    guard exitDescriptor >= 0 else {
      let number = errno
      abandon()
      guard number != EMFILE, number != ENFILE else { throw .noDescriptor }
      let reason = unsafe String(cString: strerror(number))
      throw ProgramNotStarted("the system cannot report the end of a program (pidfd_open(2)): \(reason)")
    }
  }

  /// Sends a signal to the process and its group.
  func signal(_ number: Int32) { killpg(process, number) }

  /// Waits for the end of the process, kills the rest of its group, and reaps it; its descriptors stay open.
  ///
  /// - Returns: The way in which it ended, or nil if it is unknown because other code has reaped it.
  func reap() -> ProcessEnd? {
    // Until the process is reaped, its ID is not reused for another group.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(truncatingIfNeeded: process), &info, WEXITED | WNOWAIT) == -1 {
      guard errno == EINTR else {
        ProgramLaunch.stopGuarding(process)
        return nil
      }
    }
    signal(SIGKILL)
    ProgramLaunch.stopGuarding(process)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1 { guard errno == EINTR else { return nil } }
    return ProcessEnd(status: status)
  }

  /// Kills the process and its group, reaps it, and closes its descriptors.
  mutating func abandon() {
    signal(SIGKILL)
    _ = reap()
    closePipes()
    if exitDescriptor >= 0 { Glibc.close(exitDescriptor) }
  }

  /// Closes the pipe to its standard input.
  mutating func closeInput() { Self.close(&input) }
  /// Closes the pipe from its standard output.
  mutating func closeOutput() { Self.close(&output) }
  /// Closes the pipe from its standard error.
  mutating func closeErrors() { Self.close(&errors) }

  mutating func closePipes() {
    closeInput()
    closeOutput()
    closeErrors()
  }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}

/// A pipe whose ends other programs do not inherit.
package struct SystemPipe: Sendable {
  /// The descriptor of the end to read from.
  package let reading: Int32
  /// The descriptor of the end to write to.
  package let writing: Int32

  /// Creates a pipe; nil if this process or the machine has no descriptor left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe probe_pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Closes both ends.
  package func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
