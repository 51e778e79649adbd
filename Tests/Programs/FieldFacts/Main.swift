import EngineProfiles
import PortalSurvey

/// Prints the facts about the field that the project relies on, with their sources.
///
/// Each one has the day on which its source was read; the oldest is the first, as the next to be checked again. `make field` runs it.
@main
enum Main {
  /// A fact: its name, its source and its text.
  struct Row {
    let name: String
    let source: FieldSource
    let fact: String
  }

  /// All facts, by the part of the project that relies on them.
  static let facts: [Row] =
    EngineProfile.all.map { Row(name: "profile \($0.name)", source: $0.source, fact: $0.version) }
    + KnownEndpoint.all.map { Row(name: "endpoint", source: $0.source, fact: "\($0.system): \($0.url)") }
    + PortalCheck.all.compactMap { check in
      check.source.map { Row(name: "check \(check.id)", source: $0, fact: check.requirement) }
    }

  static func main() {
    let rows = facts.enumerated().sorted {
      ($0.element.source.date, $0.offset) < ($1.element.source.date, $1.offset)
    }
    .map(\.element)
    let width = rows.map(\.name.count).max() ?? 0
    for row in rows {
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      print("\(row.source.date)  \(name)  \(row.fact); \(row.source.text)")
    }
  }
}
