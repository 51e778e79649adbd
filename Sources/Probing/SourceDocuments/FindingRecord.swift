/// A finding in JSON; the names are part of the format.
package struct FindingRecord: Encodable {
  private let finding: SourceFinding

  /// Creates the record of a finding.
  package init(_ finding: SourceFinding) {
    self.finding = finding
  }

  private enum CodingKeys: CodingKey {
    case severity, file, line, column, message, fix
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(finding.severity.rawValue, forKey: .severity)
    try container.encode(finding.path, forKey: .file)
    try container.encode(finding.location?.line, forKey: .line)
    try container.encode(finding.location?.column, forKey: .column)
    try container.encode(finding.message, forKey: .message)
    try container.encode(finding.remedy, forKey: .fix)
  }
}
