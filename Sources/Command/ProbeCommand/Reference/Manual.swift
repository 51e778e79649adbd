import ProbeCore
import CommandKit

/// All pages of the manual.
struct Manual {
  /// The topics besides those of commands.
  static let fileTopics = ["pipeline", "fixture", "reason-codes"]

  /// The pages of the program, each command, files and codes.
  let pages: [ManualPage]

  /// Creates the manual of a program with these commands and plugins.
  init(of program: ToolName, commands: [CommandOutline], plugins: PluginRegistry) {
    var pages =
      [ManualPage(program, commands: commands)] + commands.map { ManualPage($0, of: program) }
      + [.pipeline(of: program, over: plugins), .fixture(of: program), .reasonCodes(of: program)]
    let references = pages.map(\.reference)
    for index in pages.indices {
      let topic = pages[index].topic
      // The program's page refers to all pages; every page refers to it and to the pages of files and codes.
      pages[index].related = references.filter { reference in
        reference.topic != topic
          && (topic == program.name || reference.topic == program.name
            || Self.fileTopics.contains(reference.topic))
      }
    }
    self.pages = pages
  }
}
