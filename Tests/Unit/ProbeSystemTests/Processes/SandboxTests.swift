import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeSystem

/// Programs in a sandbox.
@Suite(.patience(minutes: 2)) struct SandboxTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(["secret": "secret\n"])
  }

  /// Runs a script in the sandbox, or skips the test if that is not possible here.
  private func run(
    _ text: String, _ input: String = "", _ arguments: [String] = [], within limit: Duration = .seconds(60)
  ) async throws -> ProgramRun {
    let path = try folder.write(program: "program", text)
    var program = Program([path] + arguments, in: folder.path)
    program.isSandboxed = true
    let run = await program.run(Array(input.utf8), within: limit)
    if case .notStarted(let reason) = run.end,
      reason.contains("needs bubblewrap") || reason.contains("does not permit the sandbox")
    {
      try skipTest(reason)
    }
    return run
  }

  @Test func aShellScriptRuns() async throws {
    let run = try await run(
      "#!/bin/sh\nread -r line; echo \"got $line $1\"; echo err >&2; exit 3\n", "this", ["that"])
    #expect(
      run == ProgramRun(.exited(3), output: Array("got this that\n".utf8), errors: Array("err\n".utf8)))
  }

  @Test func pythonRuns() async throws {
    guard ProgramFile.state(of: "/usr/bin/python3") == .runnable else {
      try skipTest("there is no /usr/bin/python3")
    }
    let run = try await run("#!/usr/bin/env python3\nimport json, ssl\nprint(json.dumps({'a': 1}))\n")
    #expect(run == ProgramRun(.exited(0), output: Array("{\"a\": 1}\n".utf8)))
  }

  @Test func theSandboxHasNoNetwork() async throws {
    let run = try await run("#!/bin/sh\nsed '1,2d; s/:.*//' /proc/net/dev; cat /proc/net/route\n")
    #expect(run.end == .exited(0))
    #expect(run.text.split(separator: "\n").map { $0.filter { $0 != " " } }.first == "lo")
    #expect(run.text.split(separator: "\n").count == 2)
  }

  @Test func otherFilesAreHidden() async throws {
    let script = """
      #!/bin/sh
      cat "\(folder.path)/secret" /etc/passwd /etc/hostname 2>/dev/null
      ls /home /root /var /run /sys /etc/ssh 2>/dev/null
      ls "\(folder.path)"
      pwd
      """
    let run = try await run(script)
    #expect(run.text == "program\n/tmp\n")
  }

  @Test func onlyTemporaryFilesCanBeWritten() async throws {
    let script = """
      #!/bin/sh
      for place in / /usr /dev /etc /proc/sys/kernel; do
        (echo >"$place/written") 2>/dev/null && echo "$place"
      done
      (echo >>"$0") 2>/dev/null && echo "$0"
      echo text >/tmp/own && cat /tmp/own
      """
    let run = try await run(script)
    #expect(run.text == "text\n")
    #expect(unsafe access("/tmp/own", F_OK) == -1)
  }

  /// The files that every program may write, and those of its own.
  private static let harmless: Set<String> = [
    "/dev/shm", "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
    "/dev/console", "/dev/pts", "/dev/pts/ptmx",
  ]

  /// Root owns files of the machine, such as those below /proc/sys: no capability is needed to write them.
  @Test func nothingOfTheMachineCanBeWritten() async throws {
    let script = """
      #!/bin/sh
      find / \\( -path /usr -o -path /tmp -o -path '/proc/[0-9]*' \\) -prune -o -type d -writable -print 2>/dev/null
      find / \\( -path /usr -o -path /tmp -o -path '/proc/[0-9]*' \\) -prune -o ! -type l ! -type d -print 2>/dev/null |
        while read -r file; do
          { true >>"$file"; } 2>/dev/null && echo "$file"
        done
      for file in oom_score_adj comm coredump_filter; do
        { true >>/proc/self/$file; } 2>/dev/null && echo /proc/self/$file
      done
      echo end
      """
    let lines = try await run(script).text.split(separator: "\n").map(String.init)
    #expect(lines.last == "end")
    #expect(Set(lines.dropLast()).subtracting(Self.harmless) == [])
    #expect(lines.contains("/dev/shm") && lines.contains("/dev/null"), "what can be written is reported")
  }

  @Test func filesOfRootInProcAreHidden() async throws {
    guard geteuid() == 0 else { try skipTest("only root may read them") }
    let script = """
      #!/bin/sh
      for file in kmsg kcore kpagecount kpageflags pagetypeinfo slabinfo timer_list vmallocinfo keys; do
        [ -e /proc/$file ] && head -c 1 /proc/$file 2>/dev/null | grep -q . && echo $file
      done
      echo end
      """
    #expect(try await run(script).text == "end\n")
  }

  /// In a namespace of its own, a program could mount the control groups of the machine, which root owns.
  ///
  /// A new program would lose the rights there, so the same process tries to mount them.
  @Test func noNamespacesCanBeCreated() async throws {
    guard ProgramFile.state(of: "/usr/bin/python3") == .runnable else {
      try skipTest("there is no /usr/bin/python3")
    }
    let script = """
      #!/usr/bin/env python3
      import ctypes
      libc = ctypes.CDLL(None)
      for name, kind in dict(mount=0x20000, cgroup=0x2000000, net=0x40000000, user=0x10000000).items():
          if libc.unshare(kind) == 0: print(name)
      if libc.unshare(0x20000 | 0x2000000) == 0: print("mount in a user namespace")
      if libc.mount(b"none", b"/tmp", b"cgroup2", 0, None) == 0: print("control groups")
      print("end")
      """
    #expect(try await run(script).text == "end\n")
  }

  /// What network and user namespaces do not separate: sockets to the host of a virtual machine, keys of the user.
  @Test func keysAndOtherSocketsAreNotAvailable() async throws {
    guard ProgramFile.state(of: "/usr/bin/python3") == .runnable else {
      try skipTest("there is no /usr/bin/python3")
    }
    let script = """
      #!/usr/bin/env python3
      import ctypes, errno, os, socket
      libc = ctypes.CDLL(None, use_errno=True)
      calls = dict(x86_64=(248, 249, 250), aarch64=(217, 218, 219)).get(os.uname().machine, ())
      for number in calls + (425,):
          if libc.syscall(number, 0, -3, 0, 0, 0) != -1 or ctypes.get_errno() != errno.ENOSYS: print(number)
      for family in range(64):
          for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
              try: socket.socket(family, kind).close()
              except OSError: continue
              if family not in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK): print(family)
      one, other = socket.socketpair()
      one.sendall(b"end")
      print(other.recv(3).decode())
      """
    #expect(try await run(script).text == "end\n")
  }

  @Test func temporaryFilesAreLimited() async throws {
    let script =
      "#!/bin/sh\nfor f in /tmp /dev/shm; do head -c 600000000 /dev/zero >$f/x && echo $f; done; true\n"
    let run = try await run(script)
    #expect(run.end == .exited(0))
    #expect(run.text == "")
  }

  @Test func otherProcessesAreHidden() async throws {
    let run = try await run(
      "#!/bin/sh\nls -d /proc/[0-9]* | wc -l\nkill -0 \(getpid()) 2>/dev/null && echo seen\n")
    // bwrap, the shell, ls and wc.
    #expect(Int(run.text.split(separator: "\n").first ?? "") ?? 99 <= 4)
    #expect(!run.text.contains("seen"))
  }

  @Test func aSandboxedProgramIsEndedWithItsChildren() async throws {
    let mark = "\(UInt32.random(in: 1_000_000...UInt32.max))"
    let script = "#!/bin/sh\nsetsid sleep \(mark) & sleep \(mark)\n"
    let run = try await run(script, within: .milliseconds(700))
    #expect(run.end == .timedOut)
    while try await isRunning(mark) { await Task.yield() }
  }

  private func isRunning(_ mark: String) async throws -> Bool {
    let run = await Program(["/bin/sh", "-c", "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '"]).run()
    return run.text.contains("sleep \(mark)")
  }

  @Test func aFileThatIsNotAProgramIsNotStarted() async throws {
    let run = try await run("echo run by a shell\n")
    guard case .notStarted(let reason) = run.end else {
      Issue.record("\(run)")
      return
    }
    #expect(reason.contains("is neither a script nor a binary"))
  }

  @Test func anInterpreterOutsideTheSandboxIsReported() async throws {
    let shell = try folder.write(program: "interpreter", "#!/bin/sh\n")
    let run = try await run("#!\(shell)\n")
    guard case .notStarted(let reason) = run.end else {
      Issue.record("\(run)")
      return
    }
    #expect(reason.hasPrefix("the program does not start in the sandbox (bwrap: execvp"))
  }

  @Test func aFailedProgramIsNotASandboxFailure() async throws {
    #expect(try await run("#!/bin/sh\necho 'no bwrap: here' >&2; exit 1\n").end == .exited(1))
    #expect(try await run("#!/bin/sh\nexit 1\n").end == .exited(1))
  }

  @Test func aMachineWithoutBubblewrapIsReported() async throws {
    var program = Program([try folder.write(program: "program", "#!/bin/sh\n")])
    program.isSandboxed = true
    #expect(
      await program.run(environment: ["PATH": folder.path]).end
        == .notStarted(
          "a sandbox needs bubblewrap, which this machine lacks; install the package bubblewrap, or leave out "
            + "sandbox"))
  }

  @Test(arguments: [
    ("bwrap: No permissions to create new namespace, likely because the kernel\n", true),
    ("bwrap: setting up uid map: Permission denied\n", true),
    ("bwrap: execvp /x: No such file or directory\n", false),
  ])
  func aSystemThatForbidsSandboxesIsReported(_ errors: String, _ isForbidden: Bool) throws {
    let failure = try #require(Sandbox.failure(1, errors: Array(errors.utf8), of: "/bwrap"))
    #expect(failure.description.hasPrefix("this system does not permit the sandbox (bwrap: ") == isForbidden)
    #expect(Sandbox.failure(2, errors: Array(errors.utf8), of: "/bwrap") == nil)
  }

  @Test func anOldBubblewrapIsReported() throws {
    let failure = try #require(
      Sandbox.failure(1, errors: Array("bwrap: Unknown option --disable-userns\n".utf8), of: "/bwrap"))
    #expect(failure.description.hasPrefix("this machine's bubblewrap is too old for the sandbox (bwrap: "))
    #expect(failure.description.contains("install version 0.8 or later"))
  }

  /// A bubblewrap that is setuid is not too old: it needs user namespaces as any other, because it may gain no rights.
  @Test(arguments: [
    "No permissions to create new namespace, likely because the kernel does not allow it",
    "The --size option is not permitted in setuid mode", "--disable-userns does not work in setuid mode",
    "cannot open /proc/sys/user/max_user_namespaces: Permission denied",
  ])
  func aSetuidBubblewrapIsReported(_ words: String) async throws {
    guard geteuid() == 0 else { try skipTest("only root can give a file to another user") }
    let wrapper = try folder.write(program: "bwrap", "#!/bin/sh\necho 'bwrap: \(words)' >&2; exit 1\n")
    var program = Program([try folder.write(program: "program", "#!/bin/sh\n")])
    program.isSandboxed = true
    // Scripts run without the bit.
    #expect(unsafe chown(wrapper, 1, 1) == 0 && chmod(wrapper, 0o4755) == 0)
    let end = await program.run(environment: ["PATH": folder.path]).end
    #expect(
      "\(end)".contains(
        "this system does not permit the sandbox (bwrap: \(words)); that bubblewrap is setuid has no effect, because it "
          + "may gain no rights; permit user namespaces"), "\(end)")
  }

  /// Without user namespaces, root needs none, and nothing in the sandbox can create one.
  @Test func userNamespacesAreNotRequiredWhereThereAreNone() {
    var sandbox = Sandbox(memory: 1000)
    sandbox.hasUserNamespaces = false
    #expect(!sandbox.arguments(for: "/binary", links: []).contains("--unshare-user"))
    sandbox.hasUserNamespaces = true
    #expect(sandbox.arguments(for: "/binary", links: []).contains("--disable-userns"))
  }

  @Test func systemProgramsAreNotAddedAgain() {
    let sandbox = Sandbox(memory: 1000)
    let links: [(folder: String, target: String?)] = [("/usr", nil), ("/bin", "usr/bin")]
    for path in ["/usr/lib/nagios/plugins/check_ssh", "/bin/sh"] {
      #expect(!sandbox.arguments(for: path, links: links).contains(path))
    }
    let arguments = sandbox.arguments(for: "/binary", links: links)
    #expect(arguments.contains("/binary"))
    #expect(arguments.starts(with: ["--unshare-all", "--die-with-parent", "--new-session"]))
  }
}
