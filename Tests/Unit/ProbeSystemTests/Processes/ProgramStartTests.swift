import Glibc
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ProbeSystem

/// The search for a program, and the messages if it cannot be started.
@Suite(.patience(minutes: 2)) struct ProgramStartTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder([
      "plain.sh": "#!/bin/sh\necho plain\n", "bin/only-here": "", "empty": "",
      "sub/data.txt": "data",
    ])
    try folder.write(program: "good.sh", "#!/bin/sh\necho good \"$0\" \"$(pwd)\"\n")
    try folder.write(program: "wrong.sh", "#!/no/such/interpreter -x\n")
    try folder.write(program: "dos.sh", "#!/bin/sh\r\necho\r\n")
    try folder.write(program: "text", "just text\n")
    try folder.write(program: "nested", "#!\(folder.path)/text\n")
    try folder.write(program: "second/only-here", "#!/bin/sh\necho second\n")
    try folder.write(program: "third/only-here", "#!/bin/sh\necho third\n")
    try folder.write(program: "third/head", "#!/bin/sh\necho our head\n")
  }

  private func run(_ arguments: [String], search: [String] = [], path: String = "/usr/bin:/bin") async
    -> ProgramRun
  {
    var program = Program(arguments, in: folder.path)
    program.searchPath = search
    return await program.run(environment: ["PATH": path])
  }

  @Test func aRelativePathStartsAtTheFolder() async {
    let output = Array("good \(folder.path)/good.sh \(folder.path)\n".utf8)
    #expect(await run(["./good.sh"]) == ProgramRun(.exited(0), output: output))
    #expect(await run(["\(folder.path)/good.sh"]) == ProgramRun(.exited(0), output: output))
  }

  @Test func aNameIsSearchedForInOrder() async {
    let search = ["bin", "second", "third"].map(folder.path(of:))
    // The file in the first folder is not executable.
    #expect(await run(["only-here"], search: search).text == "second\n")
    #expect(await run(["only-here"], path: search.reversed().joined(separator: ":")).text == "third\n")
    #expect(await run(["head", "-c", "1"], search: search).text == "our head\n")
    #expect(await run(["printf", "x"], search: search).text == "x")
  }

  @Test func aNameIsNotSearchedForInTheFolder() async {
    let run = await run(["good.sh"], search: ["/nowhere"])
    #expect(
      run.end
        == .notStarted("there is no program \"good.sh\" in /nowhere, PATH; install it, or give its path"))
  }

  @Test func messagesIncludeTheRemedy() async {
    let path = folder.path
    let messages: [([String], String)] = [
      ([], "there is no program in the command; name one"),
      ([""], "there is no program in the command; name one"),
      (["./missing"], "there is no program \(path)/missing; correct the path"),
      (["./plain.sh"], "\(path)/plain.sh is not executable; permit it with chmod +x"),
      (["./sub"], "\(path)/sub is a folder; name a program in it"),
      (["./good.sh", "a\0b"], "\"a\\x00b\" contains a zero byte; remove it"),
      (
        ["./wrong.sh"],
        "the interpreter of \(path)/wrong.sh does not exist: /no/such/interpreter; install it, or correct the "
          + "first line"
      ),
      (
        ["./dos.sh"],
        "the first line of \(path)/dos.sh ends with a carriage return; save the file with line ends of Unix (LF)"
      ),
      (
        ["./text"],
        "\(path)/text is neither a script nor a binary of this machine; the first line of a script is that of "
          + "its interpreter, such as #!/bin/sh"
      ),
      (
        ["./nested"],
        "the interpreter of \(path)/nested is not a binary of this machine; correct its first line"
      ),
      (
        ["./good.sh", String(repeating: "x", count: 200_000)],
        "the arguments of \(path)/good.sh are too long for the system; shorten them"
      ),
    ]
    for (arguments, message) in messages {
      #expect(await run(arguments) == ProgramRun(.notStarted(message)))
    }
  }

  @Test func aMissingFolderIsReported() async {
    let program = Program(["/bin/true"], in: folder.path(of: "missing"))
    #expect(
      await program.run()
        == ProgramRun(.notStarted("the folder of the program does not exist: \(folder.path)/missing")))
  }

  @Test func messagesAreEscapedForDisplay() async {
    let run = await run(["./\u{1B}[2J"])
    #expect(run.end == .notStarted("there is no program \(folder.path)/\\x1b[2J; correct the path"))
  }

  @Test(arguments: [
    (EMFILE, "no file descriptor is left"), (ENFILE, "no file descriptor is left"),
    (EAGAIN, "the system permits no further process"), (ENOMEM, "the system permits no further process"),
    (ETXTBSY, "/x is being written"), (EACCES, "may not be executed here"),
    (EPERM, "its file may need a capability such as CAP_NET_RAW"),
    (ELOOP, "/x cannot be started: Too many"),
  ])
  func systemErrorsAreExplained(_ number: Int32, _ message: String) {
    #expect(ProgramNotStarted(number, starting: "/x").description.contains(message))
  }

  @Test func theWorkingDirectoryIsTheFolder() async {
    let program = Program(["/bin/cat", "data.txt"], in: folder.path(of: "sub"))
    #expect(await program.run().text == "data")
  }

  @Test(arguments: [
    ("x", "/a", "/a/x"), ("./x", "/a/", "/a/x"), ("././x", "/a", "/a/x"), ("/x", "/a", "/x"),
    ("../x", "/a", "/a/../x"),
    (".", "/a", "/a"), (".hidden", "/a", "/a/.hidden"),
  ])
  func pathsAreMadeAbsolute(_ path: String, _ folder: String, _ result: String) {
    #expect(ProgramFile.absolute(path, from: folder) == result)
  }
}
