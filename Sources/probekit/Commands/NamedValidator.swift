import FoundationEssentials
import ProbeCore

/// A registered validator as a command line names it: `NAME`, or `NAME=OPTIONS` with the options in JSON.
struct NamedValidator {
  /// The validator.
  let validator: any ResponseValidator

  /// Finds the validator and gives it its options; without any, those of `{}`.
  ///
  /// - Throws: ``InvalidInput`` for an unknown name, and for options that cannot be used.
  init(_ text: String, in registry: ValidatorRegistry) throws(InvalidInput) {
    let equals = text.firstIndex(of: "=")
    let name = String(text[..<(equals ?? text.endIndex)])
    guard let type = registry[name] else {
      let nearest = nearestName(to: name, among: registry.names).map { "did you mean \($0)?" }
      let remedy = nearest ?? "use one of \(registry.names.joined(separator: ", "))"
      throw InvalidInput("unknown validator \(Excerpt(name))", remedy: remedy)
    }
    let json = equals.map { text[text.index(after: $0)...] } ?? "{}"
    validator = try Self.make(type, options: json)
  }

  private static func make<Validator: ConfigurableValidator>(
    _ type: Validator.Type, options json: Substring
  ) throws(InvalidInput) -> Validator {
    do {
      let options = try JSONDecoder().decode(Validator.Options.self, from: Data(json.utf8))
      return try Validator(options: options)
    } catch let error as InvalidInput {
      throw InvalidInput("\(type.name): \(error.message)", remedy: error.remedy)
    } catch let error as DecodingError {
      throw InvalidInput(error, in: type.name)
    } catch {
      throw InvalidInput("\(type.name): \(error)")
    }
  }
}

extension InvalidInput {
  /// What is wrong with options that could not be decoded.
  fileprivate init(_ error: DecodingError, in name: String) {
    let example = "write them as JSON, such as '\(name)={\"key\":\"value\"}'"
    switch error {
    case .keyNotFound(let key, let context):
      let path = (context.codingPath + [key]).joined
      self.init("\(name): the option \(path) is missing", remedy: "give it: '\(name)={\"\(path)\":…}'")
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      let path = context.codingPath.joined
      let place = path.isEmpty ? "the options are" : "the option \(path) is"
      self.init("\(name): \(place) not \(Self.kind(of: type))", remedy: example)
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      self.init("\(name): the options are not valid JSON", remedy: "\(example), and a text in double quotes")
    case .dataCorrupted(let context):
      self.init(
        "\(name): the option \(context.codingPath.joined) cannot be used: \(context.debugDescription)")
    @unknown default:
      self.init("\(name): the options cannot be used", remedy: example)
    }
  }

  private static func kind(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    default: "an object with keys"
    }
  }
}

extension [any CodingKey] {
  /// The keys as a path, escaped, because they are part of what was typed.
  fileprivate var joined: String {
    map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".").escapedForDisplay
  }
}
