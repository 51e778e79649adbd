import CommandKit
import EngineProfiles
import ProbeCore
import ProbePipeline
import Validators

extension EngineProfile {
  static var names: [String] { all.map(\.name) }

  /// Finds the built-in profile named by an option.
  ///
  /// - Parameter name: The name.
  /// - Returns: The profile.
  /// - Throws: ``InvalidInput`` with the closest name if there is no such profile.
  static func find(_ name: String) throws(InvalidInput) -> EngineProfile {
    if let profile = named(name) { return profile }
    throw InvalidInput("\(Excerpt(name)) is not a profile", word: name, among: names)
  }

  /// Loads the pipeline with these plugins, and with the bundled validators that profiles use if they are
  /// missing: a built-in profile does not depend on the validators of a custom program.
  func loaded(over plugins: PluginRegistry) -> LoadedPipeline {
    var all = plugins
    func add<Validator: ConfigurableValidator>(_ type: Validator.Type) {
      // A validator that is already registered under the name is kept.
      try? all.register(type)
    }
    add(EqualsValidator.self)
    add(ContainsValidator.self)
    add(StartsWithValidator.self)
    add(SizeValidator.self)
    add(MatchesValidator.self)
    add(StatusValidator.self)
    add(HeaderValidator.self)
    add(DeviationValidator.self)
    add(AddressValidator.self)
    return loaded(with: all)
  }
}
