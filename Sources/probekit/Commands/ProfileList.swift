import EngineProfiles
import FoundationEssentials
import ProbeCore

/// The built-in profiles, with what each says of itself.
struct ProfileList {
  private let profiles: [EngineProfile]

  /// A list of profiles, in this order.
  init(_ profiles: [EngineProfile]) {
    self.profiles = profiles
  }

  /// The list for a person: each name, and below it what the profile says of itself.
  var text: String {
    profiles.map { "\($0.name)\n\(TextPage.wrapped($0.description, indent: 4))" }.joined()
  }

  /// The list for a program: one line.
  ///
  /// - Parameter withFiles: Whether each comes with the text of its pipeline file.
  /// - Returns: The line.
  /// - Throws: What `JSONEncoder` throws; no profile is known to make it.
  func json(withFiles: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let records = profiles.map {
      Record.Profile(name: $0.name, description: $0.description, file: withFiles ? $0.text : nil)
    }
    return String(jsonForDisplay: try encoder.encode(Record(profiles: records))) + "\n"
  }

  private struct Record: Encodable {
    let schema = 1
    let profiles: [Profile]

    struct Profile: Encodable {
      let name: String
      let description: String
      let file: String?
    }
  }
}
