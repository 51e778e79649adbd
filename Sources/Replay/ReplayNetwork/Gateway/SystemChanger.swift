import FixtureReplay
import Glibc
import ProbeBase
import ProbeCore
import ProbeSystem

/// Changes this machine's settings in a process of its own, which undoes the changes when this process ends,
/// even by SIGKILL.
///
/// That process is a shell in its own process group, so that Ctrl-C does not reach it. Its standard input is a
/// pipe from this process: each change is two lines, the command that makes it and the one that undoes it. At the
/// end of its input, it undoes the changes in reverse order.
package final class SystemChanger: Sendable {
  /// A change that failed, or a process that cannot be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// The script of the shell.
  ///
  /// The PATH of an ordinary user may lack the folders of administrative tools.
  private static let program = #"""
    trap '' INT TERM HUP QUIT PIPE
    PATH=$PATH:/usr/sbin:/sbin
    set --
    while IFS= read -r apply && IFS= read -r undo; do
      if message=$(eval "$apply" 2>&1 </dev/null); then
        set -- "$undo" "$@"
        echo done
      else
        echo "failed $(printf %s "$message" | tr '\n' ' ')"
      fi
    done
    for undo; do
      eval "$undo" >/dev/null 2>&1 </dev/null || printf '%s\n' "$undo"
    done
    """#

  /// The ends of the two pipes, until they are closed.
  private struct Ends: Sendable {
    var input: Int32?
    var output: Int32?
  }

  private let shell: ChildProcess
  private let ends: Guarded<Ends>

  /// Starts the shell.
  ///
  /// - Parameter environment: Its environment.
  /// - Throws: ``Failure``.
  package init(environment: [String: String]) throws(Failure) {
    guard let input = SystemPipe() else { throw Failure(description: "cannot create a pipe") }
    guard let output = SystemPipe() else {
      input.close()
      throw Failure(description: "cannot create a pipe")
    }
    do throws(ProgramLaunch.NotStarted) {
      shell = try ChildProcess(
        shell: Self.program, environment: environment.map { "\($0)=\($1)" }, input: input.reading,
        output: output.writing, keepsCapabilities: true
      ) { _ in }
    } catch {
      input.close()
      output.close()
      throw Failure(description: "cannot start /bin/sh: \(error)")
    }
    close(input.reading)
    close(output.writing)
    ends = Guarded(Ends(input: input.writing, output: output.reading))
  }

  deinit {
    _ = undo()
  }

  /// Makes a change, and waits for its completion.
  ///
  /// - Throws: ``Failure`` with the output of its command; earlier changes stay in effect.
  package func make(_ change: SystemChange) throws(Failure) {
    let response = ends.withLock { ends in
      Self.write("\(change.apply)\n\(change.undo)\n", to: ends.input) ? Self.line(from: ends.output) : nil
    }
    guard let response else { throw Failure(description: "cannot \(change.summary): the shell has ended") }
    guard response != "done" else { return }
    let reason = response.dropFirst("failed ".count)
    throw Failure(description: "cannot \(change.summary): \(reason.isEmpty ? "its command failed" : reason)")
  }

  /// Undoes all changes in reverse order.
  ///
  /// - Returns: The commands that failed, which the user must run or replace.
  package func undo() -> [String] {
    ends.withLock { ends in
      guard let input = ends.input, let output = ends.output else { return [] }
      ends = Ends()
      close(input)
      defer { close(output) }
      var failed: [String] = []
      while let line = Self.line(from: output) { failed.append(line) }
      return failed
    }
  }
}

extension SystemChanger {
  /// Writes a text to the shell, whole.
  ///
  /// - Returns: Whether everything was written.
  private static func write(_ text: String, to descriptor: Int32?) -> Bool {
    guard let descriptor else { return false }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// The next line without its line end and trailing spaces, or nil at the end.
  private static func line(from descriptor: Int32?) -> String? {
    guard let descriptor else { return nil }
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line.isEmpty ? nil : String(wireBytes: line) }
      guard byte != UInt8(ascii: "\n") else { break }
      line.append(byte)
    }
    return String(wireBytes: line.trimmingEnd { $0 == UInt8(ascii: " ") })
  }
}

/// A change of this machine's settings that can be undone: a pair of shell commands.
package struct SystemChange: Hashable, Sendable {
  /// The description of the change, for a message about its failure: "add the address 10.97.0.1/24".
  var summary: String
  /// The shell command that makes the change.
  var apply: String
  /// The shell command that undoes the change, even if it has been partly undone.
  var undo: String

  package init(_ summary: String, apply: String, undo: String = ":") {
    self.summary = summary
    self.apply = apply
    self.undo = undo
  }

  /// The word in single quotes, for the shell; it may contain any character.
  package static func quoted(_ word: String) -> String { word.inSingleQuotes }
}
