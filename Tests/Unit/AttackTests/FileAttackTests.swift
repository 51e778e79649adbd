import Foundation
import Glibc
import TestRequirements
import TestSupport
import Testing

/// Files, links and pipes created by another user.
@Suite struct FileAttackTests {
  private static let fixture = """
    version: 1
    name: one
    source: { kind: synthetic, reference: a test }
    routes:
      - respond: { status: 204 }
    """
  private static let pipeline = """
    version: 1
    name: one
    sets:
      - name: one
        urls: ["https://127.0.0.1:1/"]

    """

  private func makePipe(_ path: String) throws {
    _ = unsafe unlink(path)
    try #require(unsafe mkfifo(path, 0o600) == 0)
  }

  private func link(_ path: String, to target: String, owner: uid_t = geteuid()) throws {
    _ = unsafe unlink(path)
    try #require(unsafe symlink(target, path) == 0)
    try #require(unsafe lchown(path, owner, owner) == 0)
  }

  private static func world() throws -> TemporaryFolder {
    try TemporaryFolder([
      "f/fixture.yaml": fixture, "f/pipeline.yaml": pipeline, "p.yaml": pipeline, "secret": "user-password\n",
      "s.yaml": pipeline + "request: { auth: { bearer: { file: pipe } } }\n",
    ])
  }

  /// A part of a fixture, or an input that is read more than once, must be a regular file.
  @Test(arguments: [
    "verify f", "lint f", "replay f", "check --cacert pipe https://127.0.0.1:1/",
    "check --client-cert pipe https://127.0.0.1:1/", "run --cacert pipe p.yaml",
  ])
  func aPipeInsteadOfAFileIsRefused(_ arguments: String) async throws {
    let folder = try Self.world()
    try makePipe(folder.path(of: "pipe"))
    try makePipe(folder.path(of: arguments.hasPrefix("verify") ? "f/pipeline.yaml" : "f/fixture.yaml"))
    let end = try await Spawned("cd '\(folder.path)'; exec \"$0\" \(arguments)").end()
    #expect(end.code == 65, "\(end)")
    #expect((end.output + end.errors).contains("it is not a regular file"), "\(end)")
  }

  /// A file named on the command line may be a pipe, and a signal ends the wait for its writer.
  @Test(arguments: [
    "run pipe", "check --allow-http --dialog pipe tcp://127.0.0.1:1", "monitor pipe", "run s.yaml",
    "check --bearer file:pipe https://127.0.0.1:1/",
  ])
  func aSignalEndsTheWaitForAWriter(_ arguments: String) async throws {
    let folder = try Self.world()
    try makePipe(folder.path(of: "pipe"))
    let process = try Spawned("cd '\(folder.path)'; exec \"$0\" \(arguments)")
    // A pipe cannot be opened for writing without a reader.
    var writer: Int32 = -1
    try await process.waits {
      writer = unsafe open(folder.path(of: "pipe"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return writer >= 0
    }
    defer { close(writer) }
    process.send(SIGTERM)
    let end = try await process.end()
    // A monitor that is stopped by a signal has succeeded.
    #expect(end.signal == SIGTERM || arguments.hasPrefix("monitor") && end.code == 0, "\(end)")
  }

  @Test func aSignalEndsTheWaitForAReader() async throws {
    let folder = try Self.world()
    try makePipe(folder.path(of: "pipe"))
    let process = try Spawned("cd '\(folder.path)'; echo started; exec \"$0\" run -o pipe p.yaml")
    try await process.waits { !process.output.isEmpty }
    try await Task.sleep(for: .milliseconds(200))
    process.send(SIGTERM)
    let end = try await process.end()
    #expect(end.signal == SIGTERM, "\(end)")
  }

  /// None of its lines is shown.
  @Test(arguments: ["fixture.yaml", "pipeline.yaml", "capture.json"], ["lint f", "verify f"])
  func aLinkOutOfAFixtureIsNotRead(_ name: String, _ arguments: String) async throws {
    let folder = try Self.world()
    try link(folder.path(of: "f/\(name)"), to: "../secret")
    let end = try await Spawned("cd '\(folder.path)'; exec \"$0\" \(arguments)").end()
    #expect(!(end.output + end.errors).contains("password"), "\(end)")
    guard name != "capture.json" else { return }
    #expect(end.code == 65)
    #expect(
      (end.output + end.errors).contains("a symbolic link points outside the fixture's folder"), "\(end)")
  }

  @Test(arguments: ["run -o out p.yaml", "replay --ca-out out f", "capture -o out https://127.0.0.1:1/"])
  func anotherUsersLinkDoesNotRedirectTheOutput(_ arguments: String) async throws {
    guard geteuid() == 0 else { try skipTest("only root can make a link of another user") }
    let folder = try Self.world()
    try folder.write("precious/file", "old")
    try #require(unsafe chmod(folder.path, 0o1777) == 0)
    try link(folder.path(of: "out"), to: "precious/file", owner: 12345)
    let end = try await Spawned("cd '\(folder.path)'; exec \"$0\" \(arguments)").end()
    #expect(end.code == (arguments.hasPrefix("capture") ? 65 : 69), "\(end)")
    #expect(readText(folder.path(of: "precious/file")) == "old")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "precious"))
    #expect(names == ["file"])
  }

  /// As if its terminal were closed.
  @Test func aHangupLeavesNoTemporaryFiles() async throws {
    let folder = try Self.world()
    try folder.write("tmp/x", "")
    let process = try Spawned(
      "cd '\(folder.path)'; export TMPDIR=$PWD/tmp; exec \"$0\" replay --format json f")
    try await process.waits { process.output.contains("probekit-ca-") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "tmp")).count == 2)
    process.send(SIGHUP)
    let end = try await process.end()
    #expect(end.code == 0, "\(end)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "tmp")) == ["x"])
  }

  @Test func aFullDiskLeavesNoTemporaryFiles() async throws {
    try requirePlainBuild()
    let folder = try Self.world()
    try folder.write("tmp/x", "")
    // The process may not write a byte to a file.
    let end = try await Spawned(
      """
      cd '\(folder.path)'; export TMPDIR=$PWD/tmp
      { (trap '' XFSZ; ulimit -f 0; exec "$0" replay f); echo "exit code $?"; } 2>&1 | cat
      """
    ).end()
    #expect(end.output.contains("cannot be written: File too large"), "\(end)")
    #expect(end.output.hasSuffix("exit code 69\n"), "\(end)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(of: "tmp")) == ["x"])
  }

  @Test func aServerThatCannotReportItsAddressExits() async throws {
    let folder = try Self.world()
    let end = try await Spawned("cd '\(folder.path)'; exec \"$0\" replay f >/dev/full").end()
    #expect(end.code == 69, "\(end)")
    #expect(
      end.errors == "probekit: cannot write to standard output: No space left on device\n", "\(end)")
  }
}
