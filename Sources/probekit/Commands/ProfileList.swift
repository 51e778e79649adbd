import EngineProfiles
import FoundationEssentials
import ProbeReporting

/// The built-in profiles, a line or a record each.
struct ProfileList {
  private let profiles: [EngineProfile]

  /// A list of profiles, in this order.
  init(_ profiles: [EngineProfile]) {
    self.profiles = profiles
  }

  /// What is told of a profile, in the order in which it is told: add here what else is to be said.
  private static func columns(_ profile: EngineProfile) -> [String] { [profile.name] }

  /// The list for a person: a line each.
  var text: String {
    let rows = profiles.map(Self.columns)
    let widths = (rows.first ?? []).indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).dropLast().map { $0.padded(to: $1) }
      return (padded + row.suffix(1)).joined(separator: "  ") + "\n"
    }.joined()
  }

  /// The list for a program: one line.
  ///
  /// - Parameter withFiles: Whether each comes with the text of its pipeline file.
  /// - Returns: The line.
  /// - Throws: What `JSONEncoder` throws; no profile is known to make it.
  func json(withFiles: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let records = profiles.map { Record.Profile(name: $0.name, file: withFiles ? $0.text : nil) }
    return JSONText.withoutActiveCharacters(try encoder.encode(Record(profiles: records))) + "\n"
  }

  private struct Record: Encodable {
    let schema = 1
    let profiles: [Profile]

    struct Profile: Encodable {
      let name: String
      let file: String?
    }
  }
}
