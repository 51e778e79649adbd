import TestRequirements
import TestSupport
import FoundationEssentials
import Testing
import LoopbackServer

/// Properties of the process: its streams, its arguments as bytes, its exit code.
@Suite struct ProcessTests {
  static let broken: [(script: String, error: String)] = [
    ("\"$0\" --help >/dev/full", "No space left on device"),
    ("\"$0\" --help >&-", "it is closed"),
    ("\"$0\" --help <&- >&-", "it is closed"),
  ]

  @Test(.heavy, arguments: broken)
  func unwritableOutputIsReported(_ script: String, error: String) throws {
    let run = try Shell(script)
    #expect(run.code == 69)
    #expect(run.errors == "probekit: cannot write to standard output: \(error)\n")
  }

  /// Runs a command whose output is not read, and prints its exit code after its messages.
  private static func unread(_ command: String) throws -> String {
    // The left side starts once the right side has closed the pipe and written a line to the FIFO.
    let script = """
      folder=$(mktemp -d) && mkfifo "$folder/gone" && trap 'rm -r "$folder"' EXIT
      { read -r line <"$folder/gone"; \(command); echo $? >&2; } | { exec 0<&-; echo >"$folder/gone"; }
      """
    return try Shell(script).errors
  }

  /// By SIGPIPE and without a message, as cat and git do.
  @Test(
    .heavy,
    arguments: [
      "--help", "help check", "--version", "profiles", "profiles android", "schema pipeline",
      "schema fixture",
      "lint /dev/null", "check --allow-http tcp://$refused", "check --format json https://$refused/",
      "verify \"$fixtures/worlds/open\"", "replay \"$fixtures/worlds/open\"",
    ])
  func aClosedOutputPipeEndsTheCommand(_ arguments: String) throws {
    let fixtures = projectFile("fixtures").path
    let variables = "fixtures='\(fixtures)'; refused=127.0.0.1:\(try LoopbackServer.refusedPort())"
    #expect(try Self.unread("\(variables); \"$0\" \(arguments)") == "141\n")
  }

  @Test(.heavy) func aClosedPipeIsReportedIfSIGPIPEIsIgnored() throws {
    let errors = try Self.unread("trap '' PIPE; \"$0\" --help")
    #expect(errors == "probekit: cannot write to standard output: Broken pipe\n69\n")
  }

  /// The run ends at the first unread line, not when the last probe times out.
  @Test(.patience(minutes: 1)) func aClosedOutputPipeEndsARun() async throws {
    let server = try LoopbackServer.holding()
    let folder = try TemporaryFolder([
      "p.yaml": """
      version: 1
      name: p
      policy: { https: optional }
      request: { timeout: 300s }
      sets:
        - { name: a, urls: ["\(server.url())", "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"] }

      """
    ])
    let command = "\"$0\" run --all --format ndjson '\(folder.path)/p.yaml'"
    #expect(try await onAThread { try Self.unread(command) } == "141\n")
  }

  @Test(.heavy) func closedStandardStreams() throws {
    #expect(try Shell("\"$0\" --help <&- >&- 2>&-").code == 69)
    #expect(try Shell("\"$0\" --version <&- 2>&-").code == 0)
  }

  @Test(.heavy) func anArgumentThatIsNotUTF8IsReported() throws {
    let run = try Shell("\"$0\" \"$(printf 'caf\\351\\033')\"")
    #expect(run.code == 64)
    #expect(run.errors == "probekit: argument 1: \"caf\\xe9\\x1b\" is not valid UTF-8 at byte 3\n")
  }

  @Test(.heavy) func noArguments() throws {
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
    // A subshell, so that the script's changes to its streams end with it.
    let whole = "( \(script)\n) >\"\(output.path)\" 2>\"\(errors.path)\""
    code = try #require(try runProgram("sh", ["-c", whole, try builtProgram("probekit")]))
    self.output = readText(output.path)
    self.errors = readText(errors.path)
  }
}
