/// Checks the properties of a program from a file.
extension Program {
  /// Checks all parts.
  ///
  /// - Throws: ``InvalidInput`` for a program without a name, and for a part that is not valid.
  package func check() throws(InvalidInput) {
    guard let first = arguments.first else {
      throw InvalidInput("there is no program", remedy: "list its name and arguments, as in [jq, -e, .text]")
    }
    guard !name.isEmpty else {
      throw InvalidInput("\(Excerpt(first)) does not name a program", remedy: "name a file")
    }
    for (index, argument) in arguments.enumerated() where argument.utf8.contains(0) {
      let part = index == 0 ? "the name of the program" : "argument \(index) of \(Excerpt(name))"
      throw InvalidInput("\(part) contains a NUL, which no program can receive", remedy: "remove it")
    }
    try Self.check(environment: environment)
    try Self.check(memory: limits.memory)
  }

  /// Checks the names of environment variables.
  ///
  /// - Throws: ``InvalidInput`` for a name that no variable can have.
  package static func check(environment names: [String]) throws(InvalidInput) {
    for name in names where name.isEmpty || name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "=") })
    {
      throw InvalidInput(
        "\(Excerpt(name)) is not the name of an environment variable",
        remedy: "list only names, as in [HOME]: each variable keeps its value")
    }
  }

  /// Checks a memory limit.
  ///
  /// - Throws: ``InvalidInput`` for a limit with which no program can start, or that exceeds the memory of
  ///   any machine.
  package static func check(memory bytes: Int) throws(InvalidInput) {
    guard (4 << 20...64 << 30).contains(bytes) else {
      throw InvalidInput(
        "the memory of \(ValueSyntax.text(ofBytes: bytes)) is out of bounds",
        remedy: "use one from 4MiB to 64GiB")
    }
  }
}
