internal import Validators
internal import ProbeCore

extension Dialog: Codable {
  /// Decodes the list of steps in a file.
  ///
  /// - Throws: ``InvalidDialog`` with every problem, or the decoder's own error if the value is not a list.
  public init(from decoder: any Decoder) throws {
    let parts = CompiledParts.key.flatMap { decoder.userInfo[$0] as? CompiledParts }
    var list = try decoder.unkeyedContainer()
    if let problem = DialogLimits.problem(steps: list.count ?? 0) { throw InvalidDialog([problem]) }
    var steps: [Step?] = []
    var problems: [InvalidDialog.Problem] = []
    while !list.isAtEnd {
      let entry = try list.decode(DialogEntry.self)
      steps.append(entry.step)
      problems += entry.problems.map { problem in
        var problem = problem
        problem.step = steps.count
        return problem
      }
    }
    guard problems.isEmpty else {
      throw InvalidDialog((problems + DialogCompiler(steps, parts).problems).inOrderOfSteps)
    }
    try self.init(steps.compactMap(\.self), parts)
  }

  /// Encodes the list of steps, each in its short form if that is sufficient.
  public func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for step in steps {
      var entry = list.nestedContainer(keyedBy: DialogKey.self)
      switch step.kind {
      case .send(let text): try entry.encode(text, forKey: "send")
      case .sendSecret(let source): try entry.encode(source, forKey: "send")
      case .sendHex(let digits): try entry.encode(digits, forKey: "sendHex")
      case .expect(let sought, let timeout, let maxBytes):
        let form = SoughtForm(sought: sought, timeout: timeout, maxBytes: maxBytes)
        try entry.encode(form, forKey: "expect")
      case .reject(let sought): try entry.encode(SoughtForm(sought: sought), forKey: "reject")
      case .startTLS: try entry.encode(true, forKey: "starttls")
      }
    }
  }
}

/// An arbitrary key of a mapping.
struct DialogKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
  init(stringLiteral text: String) { self.init(stringValue: text) }
}

/// The value of a step that searches, as in a file.
private struct SoughtForm: Encodable {
  let sought: Dialog.Sought
  var timeout: Duration?
  var maxBytes: Int?

  func encode(to encoder: any Encoder) throws {
    if case .text(let text, caseless: false) = sought.kind, timeout == nil, maxBytes == nil {
      var container = encoder.singleValueContainer()
      return try container.encode(text)
    }
    var container = encoder.container(keyedBy: DialogKey.self)
    switch sought.kind {
    case .text(let text, let caseless):
      try container.encode(text, forKey: "text")
      if caseless { try container.encode(true, forKey: "caseless") }
    case .hex(let digits): try container.encode(digits, forKey: "hex")
    case .matches(let options): try container.encode(options, forKey: "matches")
    }
    if let timeout { try container.encode(ValueSyntax.text(of: timeout), forKey: "timeout") }
    try container.encodeIfPresent(maxBytes, forKey: "maxBytes")
  }
}
