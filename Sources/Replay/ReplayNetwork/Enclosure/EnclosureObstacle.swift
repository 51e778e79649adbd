/// The reason why the system does not permit namespaces, according to its settings.
enum EnclosureObstacle {
  /// The settings of Linux and of distributions that forbid them, each with the value that permits them.
  private static let settings = [
    ("user.max_user_namespaces", "0", "a number such as 10000"),
    ("user.max_net_namespaces", "0", "a number such as 10000"),
    ("kernel.unprivileged_userns_clone", "0", "1"),
    ("kernel.apparmor_restrict_unprivileged_userns", "1", "0"),
  ]

  /// The message for a user.
  ///
  /// - Parameters:
  ///   - output: The output of the program that failed to create them.
  ///   - setting: Reads a setting by its name; nil if there is none.
  /// - Returns: The error and its remedies.
  static func message(_ output: String, setting: (String) -> String?) -> String {
    let found = settings.first { setting($0.0) == $0.1 }
    let reason = output.split(separator: "\n").last.map { ": \($0)" } ?? ""
    let remedy = found.map { name, value, other in
      "\(name) is \(value): set it to \(other) with sysctl, run it as root"
    }
    return "this system does not permit the namespaces that --exec needs\(reason); "
      + (remedy ?? "run it as root") + ", or \(Enclosure.otherWay)"
  }
}
