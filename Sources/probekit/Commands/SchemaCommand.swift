import ProbeCore

/// `probekit schema`: prints the JSON Schema of a kind of file, for editors.
struct SchemaCommand: Subcommand {
  /// A kind of file and its schema.
  struct Schema: Sendable {
    /// The argument that selects it.
    var kind: String
    /// A description of the file, for the help text.
    var meaning: String
    /// Creates the text, with a final line end.
    var text: @Sendable () throws -> String
  }

  /// The command-line options of `probekit schema`.
  struct Options: Sendable {
    /// The selected schema.
    var kind = ""
  }

  /// The available schemas; at least one.
  let schemas: [Schema]

  /// The specification of `probekit schema`.
  var spec: CommandSpec<Options> {
    let kinds = schemas.map(\.kind)
    return CommandSpec(
      name: "schema",
      summary: "Print the JSON Schema of a kind of file, for editors",
      discussion: [
        "It is made from the same declarations that read the files, plugins of your own included, so that an editor "
          + "that knows it completes keys and marks mistakes as probekit lint does."
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "KIND", .one, help: schemas.map { "\($0.kind), \($0.meaning)" }.joined(separator: "; ")
        ) {
          options, kind in
          guard kinds.contains(kind) else {
            let nearest = nearestName(to: kind, among: kinds).map { "did you mean \($0)?" }
            throw InvalidInput(
              "there is no such schema", remedy: nearest ?? "use \(kinds.joined(separator: " or "))")
          }
          options.kind = kind
        }
      ],
      formats: [.json],
      exitCodes: [
        (.success, "the schema was printed"),
        (.usage, "the command line is wrong; nothing was done"),
        (.unavailable, "the machine lacks something, such as room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        ("schema \(kinds.first ?? "") > probekit.schema.json", "keep it where the editor finds it")
      ])
  }

  /// Prints the schema.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    guard let schema = schemas.first(where: { $0.kind == options.kind }) else { return .internalError }
    do {
      context.output.write(try schema.text())
      return .success
    } catch {
      context.report("the schema could not be written: \(error)")
      return .internalError
    }
  }
}
