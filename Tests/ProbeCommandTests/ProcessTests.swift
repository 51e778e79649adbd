import TestSupport
import FoundationEssentials
import Testing

/// What only a process shows: its streams, its arguments as bytes, its exit code.
@Suite struct ProcessTests {
  static let broken: [(script: String, error: String)] = [
    ("\"$0\" --help >/dev/full", "No space left on device"),
    ("\"$0\" --help >&-", "it is closed"),
    ("\"$0\" --help <&- >&-", "it is closed"),
  ]

  @Test(arguments: broken)
  func outputThatCannotBeWritten(_ script: String, error: String) throws {
    let run = try Shell(script)
    #expect(run.code == 69)
    #expect(run.errors == "probekit: cannot write to standard output: \(error)\n")
  }

  @Test func aReaderThatWentAway() throws {
    // The left side starts when the right side has closed the pipe: it writes a line into the other one then.
    let script = """
      folder=$(mktemp -d) && mkfifo "$folder/gone" && trap 'rm -r "$folder"' EXIT
      { read -r line <"$folder/gone"; "$0" --help; echo $? >&2; } | { exec 0<&-; echo >"$folder/gone"; }
      """
    #expect(try Shell(script).errors == "probekit: cannot write to standard output: Broken pipe\n69\n")
  }

  @Test func everythingClosed() throws {
    #expect(try Shell("\"$0\" --help <&- >&- 2>&-").code == 69)
    #expect(try Shell("\"$0\" --version <&- 2>&-").code == 0)
  }

  @Test func argumentsAreBytes() throws {
    let run = try Shell("\"$0\" \"$(printf 'caf\\351\\033')\"")
    #expect(run.code == 64)
    #expect(run.errors == "probekit: argument 1: \"caf\\xe9\\x1b\" is not valid UTF-8 at byte 3\n")
  }

  @Test func noArguments() throws {
    let run = try Shell("\"$0\"")
    #expect(run.code == 64)
    #expect(run.errors == "probekit: no command given: see probekit --help\n")
  }
}

/// A shell script run to its end, with the command as `$0`.
struct Shell {
  let code: Int32
  let output: String
  let errors: String

  init(_ script: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "probekit-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
    // A subshell each, so that what the script does to its own streams ends with it.
    let whole = "( \(script)\n) >\"\(output.path)\" 2>\"\(errors.path)\""
    code = try #require(try runProgram("sh", ["-c", whole, try builtProgram("probekit")]))
    self.output = readText(output.path)
    self.errors = readText(errors.path)
  }
}
