import TestSupport
import Testing

@testable import ReplayNetwork

/// Changes that a separate process makes and undoes, here to files.
@Suite struct ReversibleChangesTests {
  private let folder: TemporaryFolder
  private let changes: ReversibleChanges

  init() throws {
    folder = try TemporaryFolder([:])
    changes = try ReversibleChanges(environment: ["PATH": "/usr/bin:/bin"])
  }

  private func change(_ name: String, undo: String? = nil) -> SystemChange {
    let file = SystemChange.quoted("\(folder.path)/\(name)")
    return SystemChange("make \(name)", apply: "echo made >\(file)", undo: undo ?? "rm \(file)")
  }

  @Test func changesAreUndoneInReverseOrder() throws {
    let log = SystemChange.quoted("\(folder.path)/log")
    for name in ["one", "two", "it's"] {
      let word = SystemChange.quoted(name)
      try changes.make(change(name, undo: "printf '%s ' \(word) >>\(log)"))
    }
    #expect(readText("\(folder.path)/it's") == "made\n")
    #expect(changes.undo() == [])
    #expect(readText("\(folder.path)/log") == "it's two one ")
    // Only once.
    #expect(changes.undo() == [])
    #expect(readText("\(folder.path)/log") == "it's two one ")
  }

  @Test func aFailedChangeIsReportedAndTheOthersAreKept() throws {
    try changes.make(change("one"))
    let failing = SystemChange(
      "do the impossible", apply: "{ echo 'not'; echo 'possible' >&2; false; }",
      undo: "touch \(folder.path)/undone")
    let error = #expect(throws: ReversibleChanges.Failed.self) { try changes.make(failing) }
    #expect(error?.description == "cannot do the impossible: not possible")
    #expect(readText("\(folder.path)/one") == "made\n")
    try changes.make(change("two"))
    #expect(changes.undo() == [])
    // A change that was not made is not undone.
    #expect(readText("\(folder.path)/undone") == "")
    #expect(readText("\(folder.path)/one") == "")
    #expect(readText("\(folder.path)/two") == "")
  }

  @Test func aFailedUndoIsReportedAndTheOthersAreUndone() throws {
    try changes.make(change("one"))
    try changes.make(change("two", undo: "rm '\(folder.path)/no such file'"))
    #expect(changes.undo() == ["rm '\(folder.path)/no such file'"])
    #expect(readText("\(folder.path)/one") == "")
  }

  @Test func noChangeIsMadeAfterUndo() throws {
    #expect(changes.undo() == [])
    let error = #expect(throws: ReversibleChanges.Failed.self) { try changes.make(change("late")) }
    #expect(error?.description == "cannot make late: the shell has ended")
    #expect(readText("\(folder.path)/late") == "")
  }
}
