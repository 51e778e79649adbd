import ConnectionValidators
import EngineProfiles
import HTTPValidators
import PCRE2Validator
import ProbeCore
import ProbePipeline
import StringValidators

extension EngineProfile {
  /// The names of all profiles.
  static var names: [String] { all.map(\.name) }

  /// The built-in profile that a command line names.
  ///
  /// - Parameter name: The name as it was given.
  /// - Returns: The profile.
  /// - Throws: ``InvalidInput`` when there is none, with the nearest name.
  static func find(_ name: String) throws(InvalidInput) -> EngineProfile {
    if let profile = named(name) { return profile }
    let nearest = nearestName(to: name, among: names).map { "did you mean \($0)?" }
    throw InvalidInput(
      "there is no such profile", remedy: nearest ?? "use one of \(names.joined(separator: ", "))")
  }

  /// The pipeline, read with these plugins and with the bundled validators that profiles name where they are missing:
  /// what is built in does not depend on what a program of one's own brings along.
  func loaded(over plugins: PluginRegistry) -> LoadedPipeline {
    var all = plugins
    func add<Validator: ConfigurableValidator>(_ type: Validator.Type) {
      // A name that is taken is its owner's.
      try? all.register(type)
    }
    add(EqualsValidator.self)
    add(ContainsValidator.self)
    add(MatchesValidator.self)
    add(StatusValidator.self)
    add(HeaderValidator.self)
    add(AddressValidator.self)
    return loaded(with: all)
  }
}
