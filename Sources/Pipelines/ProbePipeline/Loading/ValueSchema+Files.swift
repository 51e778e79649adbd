import ProbeCore

// Schemas that are more precise than the readers of a pipeline file, so that editors show errors early. Each
// of them accepts everything that the loader accepts.
extension ValueSchema {
  /// A count from 1, with or without quotes.
  static var positiveCount: ValueSchema {
    let text = ValueSchema.text(pattern: #"^0*[1-9][0-9]*$"#, canBeNumber: false, canBeBoolean: false)
    return .anyOf([.integer(in: 1 ... .max), text])
  }

  /// A percentage above 0 and up to 100, or a count from 1.
  static var threshold: ValueSchema {
    let count = #"0*[1-9][0-9]*(\.0+)?"#
    let percentage = #"(?=[0-9. ]*[1-9])0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?) *%"#
    let text = ValueSchema.text(
      pattern: "^(\(count)|\(percentage))$", canBeNumber: false, canBeBoolean: false, examples: ["50%", "2"])
    return .anyOf([.integer(in: 1 ... .max), text])
  }

  static func url(_ schemes: [URLScheme]) -> ValueSchema {
    // The case of a scheme is irrelevant (RFC 3986 §3.1), but ECMA-262 patterns are case-sensitive.
    let names = schemes.map { scheme in
      scheme.name.map { $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : "\\\($0)" }.joined()
    }
    return .text(
      pattern: "^(\(names.joined(separator: "|"))):[^ ]+$", canBeNumber: false, canBeBoolean: false,
      examples: ["https://example.com/"])
  }

  /// Splits a mapping that requires exactly one of these keys into one mapping for each.
  func requiring(oneOf names: [String]) -> ValueSchema {
    .anyOf(
      names.map { name in
        .mapping(
          keys.filter { !names.contains($0.name) || $0.name == name }.map { key in
            var key = key
            if key.name == name { key.isRequired = true }
            return key
          })
      })
  }

  /// Splits a mapping whose keys are not all valid together into one mapping for each valid combination.
  func alternatives(of groups: [(required: [String], optional: [String])]) -> ValueSchema {
    func part(_ names: [String], isRequired: Bool) -> [Key] {
      keys.filter { names.contains($0.name) }.map { key in
        var key = key
        key.isRequired = isRequired
        return key
      }
    }
    return .anyOf(
      groups.map { group in
        .mapping(part(group.required, isRequired: true) + part(group.optional, isRequired: false))
      })
  }
}
