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
      summary: "Print the JSON Schema of a file format, for editors",
      discussion: [
        "The schema is generated from the declarations that read the files, including those of plugins. An editor "
          + "that uses it completes keys and marks the same errors as probekit lint."
      ],
      initial: Options(),
      positionals: [
        PositionalSpec(
          "KIND", .one, takes: .oneOf(kinds),
          help: schemas.map { "\($0.kind), \($0.meaning)" }.joined(separator: "; ")
        ) {
          options, kind in
          guard kinds.contains(kind) else {
            let nearest = nearestName(to: kind, among: kinds).map { "did you mean \($0)?" }
            throw InvalidInput(
              "there is no such schema", remedy: nearest ?? "use \(kinds.alternatives)")
          }
          options.kind = kind
        }
      ],
      formats: [.json],
      exitCodes: [
        (.success, "the schema was printed"),
        (.usage, "wrong command line; nothing was done"),
        (.unavailable, "missing on this machine: disk space"),
        (.internalError, "internal error (please report)"),
      ],
      examples: [
        ("schema \(kinds.first ?? "") > probekit.schema.json", "save the schema for an editor")
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
