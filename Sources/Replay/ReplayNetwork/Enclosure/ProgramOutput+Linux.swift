import Glibc
import ProbeSystem

/// A short program that has ended, and the beginning of its output.
struct ProgramOutput {
  /// The end of its process; nil if it could not be started.
  let end: ProcessEnd?
  /// Its standard output and standard error, at most 4 KiB.
  let text: String

  /// Runs a program.
  init(of arguments: [String], environment: [String]) {
    guard let pipe = SystemPipe() else {
      (end, text) = (nil, "no file descriptor is left")
      return
    }
    defer { close(pipe.reading) }
    let process: pid_t
    do throws(SpawnedProgram.NotStarted) {
      defer { close(pipe.writing) }
      var program = SpawnedProgram(
        arguments: arguments, environment: environment,
        descriptors: .init(input: nil, output: pipe.writing, errors: pipe.writing))
      // The tools that prepare a network, such as dnsmasq, need the rights of this process.
      program.keepsCapabilities = true
      process = try program.start()
    } catch {
      (end, text) = (nil, "\(arguments[0]): \(error)")
      return
    }
    var bytes: [UInt8] = []
    while true {
      let part = unsafe [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
        count = max(0, unsafe read(pipe.reading, buffer.baseAddress, buffer.count))
      }
      if part.isEmpty { break }
      if bytes.count < 4096 { bytes += part }
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) == -1, errno == EINTR {}
    end = ProcessEnd(status: status)
    text = String(decoding: bytes, as: UTF8.self)
  }
}
