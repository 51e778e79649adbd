import EngineProfiles
import ProbeCore

extension EngineProfile {
  /// The built-in profile that a command line names.
  ///
  /// - Parameter name: The name as it was given.
  /// - Returns: The profile.
  /// - Throws: ``InvalidInput`` when there is none, with the nearest name.
  static func find(_ name: String) throws(InvalidInput) -> EngineProfile {
    if let profile = named(name) { return profile }
    let nearest = nearestName(to: name, among: all.map(\.name)).map { "did you mean \($0)?" }
    throw InvalidInput("there is no such profile", remedy: nearest ?? "probekit profiles lists them")
  }
}
