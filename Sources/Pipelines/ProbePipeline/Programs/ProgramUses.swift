import ProbeCore
import SourceDocuments

/// The keys of a pipeline file that start a program, collected while it is read.
final class ProgramUses {
  /// The values that start a program, in the order of the file.
  private(set) var nodes: [SourceNode] = []

  /// Notes a value that starts a program.
  func note(_ node: SourceNode) {
    nodes.append(node)
  }
}

extension InvalidInput {
  /// The error for a file that starts a program without the user's permission.
  static let programsNotAllowed = InvalidInput(
    "this starts a program, which needs permission",
    remedy: "add --allow-commands to run, monitor or serve, if you trust the file")
}
