import EngineProfiles
import ProbeCore
import CommandKit
import ProbeReporting

/// The built-in profiles with their descriptions, versions and sources.
struct ProfileList {
  private let profiles: [EngineProfile]

  /// Creates a list of profiles, in this order.
  init(_ profiles: [EngineProfile]) {
    self.profiles = profiles
  }

  /// The list for people: each name, followed by the description, the version and the source.
  var text: String {
    profiles.map { profile in
      let origin = [
        "Version: \(profile.version)", "Source: \(profile.source.text), \(profile.source.date)",
      ]
      let paragraphs = [profile.description] + origin
      return "\(profile.name)\n" + paragraphs.map { TextPage.wrapped($0, indent: 4) }.joined()
    }.joined()
  }

  /// The list for programs: one line.
  ///
  /// - Parameter withFiles: Whether to include the text of each pipeline file.
  /// - Returns: The line.
  /// - Throws: An error of `JSONEncoder`, which no profile is known to cause.
  func json(withFiles: Bool) throws -> String {
    let records = profiles.map {
      Record.Profile(
        name: $0.name, description: $0.description, version: $0.version, source: $0.source.text,
        date: $0.source.date, file: withFiles ? $0.text : nil)
    }
    return try JSONLine.text(Record(profiles: records))
  }

  private struct Record: Encodable {
    let schema = 1
    let profiles: [Profile]

    struct Profile: Encodable {
      let name: String
      let description: String
      let version: String
      let source: String
      let date: String
      let file: String?
    }
  }
}
