import ProbeCore

// What values of a pipeline file look like beyond what their readers say: for editors, so that they see a mistake while
// it is made. Each takes all that the loader does.
extension ValueSchema {
  /// A count from 1 on, with or without quotes.
  static var positiveCount: ValueSchema {
    let text = ValueSchema.text(pattern: #"^0*[1-9][0-9]*$"#, canBeNumber: false, canBeBoolean: false)
    return .anyOf([.integer(in: 1 ... .max), text])
  }

  /// A percentage above 0 and up to 100, or a count from 1 on.
  static var threshold: ValueSchema {
    let count = #"0*[1-9][0-9]*(\.0+)?"#
    let percentage = #"(?=[0-9. ]*[1-9])0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?) *%"#
    let text = ValueSchema.text(
      pattern: "^(\(count)|\(percentage))$", canBeNumber: false, canBeBoolean: false, examples: ["50%", "2"])
    return .anyOf([.integer(in: 1 ... .max), text])
  }

  /// A URL with one of these schemes.
  static func url(_ schemes: [URLScheme]) -> ValueSchema {
    // Upper and lower case are the same in a scheme (RFC 3986 §3.1), and in ECMA-262 patterns they are not.
    let names = schemes.map { scheme in
      scheme.name.map { $0.isLetter ? "[\($0.lowercased())\($0.uppercased())]" : "\\\($0)" }.joined()
    }
    return .text(
      pattern: "^(\(names.joined(separator: "|"))):[^ ]+$", canBeNumber: false, canBeBoolean: false,
      examples: ["https://example.com/"])
  }

  /// A mapping of which not all keys go together, as the mappings of those that do.
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
