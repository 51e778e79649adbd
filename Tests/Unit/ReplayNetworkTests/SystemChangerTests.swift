import TestSupport
import Testing

@testable import ReplayNetwork

/// Changes that a separate process makes and undoes, here to files.
@Suite struct SystemChangerTests {
  private let folder: TemporaryFolder
  private let changer: SystemChanger

  init() throws {
    folder = try TemporaryFolder([:])
    changer = try SystemChanger(environment: ["PATH": "/usr/bin:/bin"])
  }

  private func change(_ name: String, undo: String? = nil) -> SystemChange {
    let file = SystemChange.quoted("\(folder.path)/\(name)")
    return SystemChange("make \(name)", apply: "echo made >\(file)", undo: undo ?? "rm \(file)")
  }

  @Test func changesAreUndoneInReverseOrder() throws {
    let log = SystemChange.quoted("\(folder.path)/log")
    for name in ["one", "two", "it's"] {
      let word = SystemChange.quoted(name)
      try changer.make(change(name, undo: "printf '%s ' \(word) >>\(log)"))
    }
    #expect(readText("\(folder.path)/it's") == "made\n")
    #expect(changer.undo() == [])
    #expect(readText("\(folder.path)/log") == "it's two one ")
    // Only once.
    #expect(changer.undo() == [])
    #expect(readText("\(folder.path)/log") == "it's two one ")
  }

  @Test func aFailedChangeIsReportedAndTheOthersAreKept() throws {
    try changer.make(change("one"))
    let failing = SystemChange(
      "do the impossible", apply: "{ echo 'not'; echo 'possible' >&2; false; }",
      undo: "touch \(folder.path)/undone")
    let error = #expect(throws: SystemChanger.Failure.self) { try changer.make(failing) }
    #expect(error?.description == "cannot do the impossible: not possible")
    #expect(readText("\(folder.path)/one") == "made\n")
    try changer.make(change("two"))
    #expect(changer.undo() == [])
    // A change that was not made is not undone.
    #expect(readText("\(folder.path)/undone") == "")
    #expect(readText("\(folder.path)/one") == "")
    #expect(readText("\(folder.path)/two") == "")
  }

  @Test func aFailedUndoIsReportedAndTheOthersAreUndone() throws {
    try changer.make(change("one"))
    try changer.make(change("two", undo: "rm '\(folder.path)/no such file'"))
    #expect(changer.undo() == ["rm '\(folder.path)/no such file'"])
    #expect(readText("\(folder.path)/one") == "")
  }

  @Test func noChangeIsMadeAfterUndo() throws {
    #expect(changer.undo() == [])
    let error = #expect(throws: SystemChanger.Failure.self) { try changer.make(change("late")) }
    #expect(error?.description == "cannot make late: the shell has ended")
    #expect(readText("\(folder.path)/late") == "")
  }
}
