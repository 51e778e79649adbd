internal import ProbeCore

extension ProgramCheck {
  /// The keys of `request` for the resources of a check's program.
  static let keys: [RequestKey] = [
    RequestKey(
      "environment", [String].self, default: "none",
      summary: "the environment variables to pass to the program, by name; no others are passed"
    ) { names in
      try Program.check(environment: names)
      return setting { $0.environment = names }
    },
    RequestKey(
      "memory", ByteCount.self, default: "512MiB",
      summary: "the limit of data memory for each process of the program (RLIMIT_DATA)"
    ) { size in
      try Program.check(memory: size.bytes)
      return setting { $0.limits.memory = size.bytes }
    },
    RequestKey(
      "sandbox", Bool.self, default: "false",
      summary:
        "whether the program runs in bubblewrap, without a network and without files except those of the system"
    ) { isSandboxed in setting { $0.isSandboxed = isSandboxed } },
  ]

  private static func setting(_ change: @escaping @Sendable (inout Program) -> Void) -> RequestSetting {
    RequestSetting { request, _ in
      var check = request[ProgramCheck.self] ?? ProgramCheck()
      change(&check.program)
      request[ProgramCheck.self] = check
    }
  }
}
