import ProbeCore
import SourceDocuments

/// The source of a variable's value, in `vars`.
enum VariableSource {
  /// A text, which reports may show.
  case text(String)
  case environment(String, isSecret: Bool)
}

struct VariableValue {
  var text: String
  var isSecret = false
  /// Whether it is a placeholder for an environment variable that was not read.
  var isUnread = false
  /// Whether it comes from a request to `probekit serve`, whose sender may be anybody.
  var isFromRequest = false
}

/// The variables of a pipeline file, with their values.
struct Variables {
  /// The declared names, in order.
  private(set) var names: [String] = []
  /// The values by name; a variable with an error has a placeholder, so that the rest of the file is checked.
  private(set) var values: [String: VariableValue] = [:]
  /// Whether a value comes from the environment.
  private(set) var readsEnvironment = false

  /// Reads the variables.
  ///
  /// Errors in `vars` itself are left to the reader of the whole file; errors of the environment are reported
  /// here.
  ///
  /// - Parameters:
  ///   - node: The value of `vars`.
  ///   - given: Values that replace those in the file, by name.
  ///   - requestedNames: The names of those from a request to `probekit serve`.
  ///   - context: Reads the environment; nil to leave it unread.
  ///   - findings: Receives the errors.
  init(
    _ node: SourceNode, given: [String: String], _ requestedNames: Set<String> = [],
    in context: RequestContext?, _ findings: SourceFindings
  ) {
    guard case .mapping(let entries) = node.content else { return }
    let ignored = SourceFindings(findings.file)
    for entry in entries {
      names.append(entry.key)
      values[entry.key] = VariableValue(text: "unread", isUnread: true)
      guard
        let source = FieldReader<VariableSource>.variable.value(
          of: entry.value, field: entry.fieldName, ignored)
      else { continue }
      do throws(InvalidInput) {
        values[entry.key] = try value(of: source, given: given[entry.key], in: context, called: entry.key)
        values[entry.key]?.isFromRequest = requestedNames.contains(entry.key)
      } catch {
        findings.add(error, at: entry.value)
      }
    }
  }

  private mutating func value(
    of source: VariableSource, given: String?, in context: RequestContext?, called name: String
  ) throws(InvalidInput) -> VariableValue {
    if case .environment(let variable, isSecret: true) = source, given != nil {
      throw InvalidInput(
        "the variable \(name) is secret, so its value cannot be given on the command line",
        remedy: "set the environment variable \(Excerpt(variable))")
    }
    if let given { return VariableValue(text: try VariableSource.checked(given)) }
    switch source {
    case .text(let text): return VariableValue(text: text)
    case .environment(let variable, let isSecret):
      readsEnvironment = true
      guard let context else { return VariableValue(text: "unread", isSecret: isSecret, isUnread: true) }
      do throws(InvalidInput) {
        let text = try context.secret(.environment(variable)).withText { $0 }
        return VariableValue(text: text, isSecret: isSecret)
      } catch {
        throw InvalidInput(
          error.message, remedy: "set it to the value, in one line\(isSecret ? "" : ", or use --set")")
      }
    }
  }

  /// The values that reports do not show.
  var secrets: [Secret] { values.values.filter(\.isSecret).map { Secret($0.text) } }
}

extension VariableSource {
  /// The text of a value, which has no line end or other control character.
  static func checked(_ text: String) throws(InvalidInput) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    throw InvalidInput(
      "the value of a variable has a control character or a line end in it", remedy: "write it in one line")
  }

  /// Whether a variable can have this name.
  static func isName(_ name: some StringProtocol) -> Bool {
    let isWord = name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    return isWord && name.utf8.first.map { !$0.isASCIIDigit } ?? false && name.utf8.count <= 64
  }
}

extension FieldReader where Value == VariableSource {
  /// `text`, or `{ env: NAME }`, with `secret: true` if reports must not show it.
  fileprivate static var variable: FieldReader {
    let pattern = #"^[^\u0000-\u001f\u007f-\u009f]*$"#
    let text = FieldReader.text("a text or a mapping", schema: .text(pattern: pattern)) {
      text throws(InvalidInput) in .text(try VariableSource.checked(text))
    }
    let environment = FieldReader.mapping { reader in
      let name = reader.required(
        "env", .line, example: "NAME", summary: "the environment variable that contains the value")
      let isSecret = reader.optional(
        "secret", .boolean, default: "false", summary: "whether reports show the name instead of the value")
      return name.map { .environment($0, isSecret: isSecret ?? false) }
    }
    return anyOf(scalar: text, mapping: environment)
  }
}

extension FieldReader where Value == [(entry: SourceEntry, value: VariableSource)] {
  /// The contents of `vars`.
  static var variables: FieldReader {
    .dictionary(of: .variable) { name throws(InvalidInput) in
      guard !VariableSource.isName(name) else { return }
      throw InvalidInput(
        "\(Excerpt(name)) cannot be the name of a variable",
        remedy: "use up to 64 ASCII letters, digits and _, without a digit at the start")
    }
  }
}
