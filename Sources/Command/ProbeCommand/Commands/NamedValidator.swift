import ProbeCore
import SourceDocuments

/// A registered validator given on the command line as `NAME` or `NAME=OPTIONS`.
///
/// The options are in JSON or YAML, as in a pipeline file.
struct NamedValidator {
  /// All errors in the options, with their positions in the whole argument.
  struct Unusable: InvalidInputs {
    var mistakes: [InvalidInput]
  }

  /// The validator.
  let validator: any ResponseValidator

  /// Finds the validator and decodes its options; without options, those of `{}` are used.
  ///
  /// - Throws: ``InvalidInput`` for an unknown name, and ``Unusable`` for invalid options.
  init(_ text: String, in registry: ValidatorRegistry) throws {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let type = registry[name] else {
      let nearest = nearestName(to: name, among: registry.names).map { "did you mean \($0)?" }
      let remedy = nearest ?? "use one of \(registry.names.joined(separator: ", "))"
      throw InvalidInput("unknown validator \(Excerpt(name))", remedy: remedy)
    }
    guard let equals else {
      validator = try Self.make(type, options: "{}", at: nil)
      return
    }
    let start = text.index(after: equals)
    validator = try Self.make(
      type, options: text[start...], at: text.utf8.distance(from: text.startIndex, to: start))
  }

  private static func make<Validator: ConfigurableValidator>(
    _ type: Validator.Type, options text: Substring, at start: Int?
  ) throws -> Validator {
    guard !text.isEmpty else {
      throw InvalidInput(
        "\(type.name): the options are empty",
        remedy: "write them as JSON or YAML, such as '\(type.name)={\"key\":\"value\"}'")
    }
    let findings = SourceFindings(SourceFile(path: type.name, bytes: Array(text.utf8)))
    let validator = SourceDocument.read(findings).flatMap { node in
      SourceDecoding.value(of: node, field: type.name, findings) { (options: Validator.Options) in
        try Validator(options: options)
      }
    }
    if findings.isEmpty, let validator { return validator }
    let example = ValueSchema(of: Validator.Options.self).example
    throw Unusable(
      mistakes: findings.all.map { finding in
        let message =
          finding.message.hasPrefix(type.name) ? finding.message : "\(type.name): \(finding.message)"
        let offset = start.flatMap { start in finding.offset.map { $0 + start } }
        // Without options there is no text to extend.
        let example = "give it its options, as in '\(type.name)=\(example)'"
        return InvalidInput(message, remedy: start == nil ? example : finding.remedy, offset: offset)
      })
  }
}
