import ProbeCore
import SourceDocuments

extension MappingReader {
  /// Reads the keys for the environment, the memory and the sandbox of a program.
  mutating func readLimits(of program: inout Program) {
    read(
      into: &program.environment, "environment",
      FieldReader<[String]>.nonEmptyList(of: .nonEmptyText).checked(Program.check(environment:)),
      default: "none", summary: "the names of the environment variables that it gets")
    read(
      into: &program.limits.memory, "memory",
      FieldReader<Int>.byteCount(in: 0 ... .max).checked(Program.check(memory:)), default: "512MiB",
      summary: "the limit of data memory for each of its processes (RLIMIT_DATA)")
    read(
      into: &program.isSandboxed, "sandbox", .boolean, default: "false",
      summary: "whether it runs under bubblewrap, without network and files")
  }
}

extension FieldReader where Value == [String] {
  /// A program and its arguments.
  static var arguments: FieldReader {
    FieldReader.nonEmptyList(of: .argument.called("an argument")).checked { arguments throws(InvalidInput) in
      try Program(arguments).check()
    }
  }
}

extension FieldReader where Value == String {
  /// A text, which is not a secret.
  fileprivate static var argument: FieldReader {
    FieldReader(schema: .text) { node, field, findings in
      if let scalar = node.scalar { return scalar.text }
      let isMapping = if case .mapping = node.content { true } else { false }
      findings.add(
        "\(field) must be a text, not \(node.kindName)",
        remedy: isMapping
          ? "every user of the machine can see arguments: pass a secret in a variable, as in request: "
            + "{ environment: [NAME] }" : nil,
        at: node)
      return nil
    }
  }
}

extension FieldReader {
  /// The same reader, whose values a rule accepts or refuses.
  fileprivate func checked(_ check: @escaping (Value) throws(InvalidInput) -> Void) -> FieldReader {
    map { value, node, findings in
      findings.reporting(at: node) { () throws(InvalidInput) in
        try check(value)
        return value
      }
    }
  }
}

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
