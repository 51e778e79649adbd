internal import ProbeCore

/// Decodes a value again and again, each time without what was found wrong before, until nothing else is.
struct DecodingRounds {
  /// The value, with `unusable` in place of what is wrong.
  private var root: SourceNode
  private let field: String
  private let findings: SourceFindings
  private let userInfo: [CodingUserInfoKey: any Sendable]
  private let survey = KeySurvey()
  private let forms: DescribedTypes
  /// Where something was found wrong.
  private var wrong: [[String]] = []
  /// Keys that are not there, told last: one may be there under a misspelt name.
  private var missing: [(path: [String], key: String, node: SourceNode, input: InvalidInput)] = []
  private var hasDecoded = false
  /// How many values may be decoded as one; nobody writes more by hand.
  private static let mostValues = 6000

  init(
    _ node: SourceNode, _ field: String, _ findings: SourceFindings,
    _ userInfo: [CodingUserInfoKey: any Sendable]
  ) {
    root = node
    self.field = field
    self.findings = findings
    self.userInfo = userInfo
    forms = DescribedTypes(userInfo)
  }

  /// What is made of the value, or nil when something is wrong, which is told.
  mutating func value<Value: Decodable, Result>(_ make: (Value) throws -> Result) -> Result? {
    if case .unusable = root.content { return nil }
    let weight = root.weight
    guard weight <= Self.mostValues else {
      findings.add(
        "\(field) is made of \(weight) values, more than \(Self.mostValues)", remedy: "make it smaller",
        at: root)
      return nil
    }
    // A large value is not decoded so often: it may be there to keep the program busy.
    var roundsLeft = 32
    var isFirst = true
    while roundsLeft > 0 {
      let session = DecodingSession(userInfo, survey, forms)
      do {
        let decoder = SourceDecoder(root, field: field, type: Value.self, session: session)
        let value = try decoder.decode(Value.self)
        hasDecoded = true
        guard !session.leftOut else { break }
        let result = try make(value)
        if wrong.isEmpty, !session.metUnusable, unknownPaths.isEmpty { return result }
        break
      } catch {
        if isFirst { roundsLeft = max(2, 32 - weight / 200) }
        isFirst = false
        guard note(error, leftOut: session.leftOut) else { break }
      }
      roundsLeft -= 1
    }
    tellKeys()
    return nil
  }
}

extension DecodingRounds {
  /// Tells what an error says, and takes what is wrong out of the value.
  ///
  /// - Returns: Whether it is worthwhile to go on.
  private mutating func note(_ error: any Error, leftOut: Bool) -> Bool {
    if let mistake = DecodingMistake(error) { return note(mistake) }
    // Without what was left out, a type may find fault with what is right.
    if leftOut { return false }
    switch error {
    case let mistake as InvalidInput: return note([mistake])
    case let nested as NestedMistakes:
      _ = note(nested.mistakes)
      return remove(nested.path)
    case let several as any InvalidInputs:
      _ = note(several.mistakes)
      return false
    case let error as DecodingError:
      return note([InvalidInput(error, field: root.field(at: error.keys, field))])
    default: return note([InvalidInput("\(field) cannot be used: \("\(error)".escapedForDisplay)")])
    }
  }

  private mutating func note(_ mistake: DecodingMistake) -> Bool {
    let (node, path) = root.part(at: mistake.path)
    switch mistake.kind {
    case .silent:
      return false
    case .missing(let key, let type):
      let name = root.field(at: path, field)
      let input = ScalarRules.noKey(key, in: name, example: forms.form(of: type).example)
      missing.append((path: path, key: key, node: node, input: input))
      return remove(path + [key])
    case .shape(let type):
      findings.add(input(of: mistake, type, node), at: node)
    case .value:
      findings.add(mistake.input, at: node)
    }
    return remove(path)
  }

  /// Of a type that takes several forms the last that it tried says nothing of the others.
  private func input(of mistake: DecodingMistake, _ type: any Any.Type, _ node: SourceNode) -> InvalidInput {
    let form = forms.form(of: type).unnamed
    guard let words = form.words, form.alternatives.count > 1 else { return mistake.input }
    let found = node.scalar.map { "\(Excerpt($0.text))" } ?? node.kindName
    return InvalidInput("\(root.field(at: mistake.path, field)) must be \(words), not \(found)")
  }

  /// Tells mistakes that a type found itself, at one time.
  private mutating func note(_ mistakes: [InvalidInput]) -> Bool {
    // More are not told anyway, and each costs a look at all of the value.
    let mistakes = mistakes.prefix(SourceFindings.limit)
    let suspect = placesAroundMistakes
    let places = mistakes.map { root.part(at: $0.path) }
    var isPart = false
    for (mistake, place) in zip(mistakes, places) {
      // What is wrong with the whole may be so for what is wrong with its part.
      guard !suspect.contains(place.path) else { continue }
      findings.add(mistake, at: place.node)
      isPart = remove(place.path)
    }
    return isPart
  }

  /// The places of the keys that nothing asked for.
  private var unknownPaths: [[String]] {
    survey.mappings.values.flatMap { mapping in
      mapping.unknown(hasDecoded: hasDecoded).map { mapping.path + [$0.key] }
    }
  }

  /// Everything that something wrong stands in, that itself included.
  private var placesAroundMistakes: Set<[String]> {
    var places: Set<[String]> = []
    for path in wrong + unknownPaths {
      var around = path
      while places.insert(around).inserted, !around.isEmpty { around.removeLast() }
    }
    return places
  }

  /// Takes something out of the value; false for the whole of it.
  private mutating func remove(_ path: [String]) -> Bool {
    wrong.append(path)
    guard !path.isEmpty else { return false }
    root.setUnusable(path[...])
    return true
  }

  /// Tells the keys that are not known, and those that are not there.
  private func tellKeys() {
    var meant: Set<[String]> = []
    for mapping in survey.mappings.values {
      let unknown = mapping.unknown(hasDecoded: hasDecoded)
      guard !unknown.isEmpty else { continue }
      let known = mapping.known(forms)
      for entry in unknown {
        if findings.givesUp() { return }
        let nearest = findings.nearest(to: entry.key, among: known)
        let input = ScalarRules.unknownKey(entry.key, in: mapping.field, known: known, nearest: nearest)
        findings.add(input.message, remedy: input.remedy, at: entry.keySpan.lowerBound)
        if let nearest { meant.insert(mapping.path + [nearest]) }
      }
    }
    for key in missing where !meant.contains(key.path + [key.key]) { findings.add(key.input, at: key.node) }
  }
}

extension DecodingError {
  /// The coding path as texts.
  fileprivate var keys: [String] {
    (context?.codingPath ?? []).map { key in
      // The number of an item; keys of a mapping may have numbers of another meaning.
      key.intValue.map { key.stringValue == "Index \($0)" ? "\($0)" : key.stringValue } ?? key.stringValue
    }
  }
}

extension InvalidInput {
  /// What a type's own code says of a value.
  fileprivate init(_ error: DecodingError, field: String) {
    if let mistake = error.context?.underlyingError as? InvalidInput {
      self = InvalidInput(mistake.message, remedy: mistake.remedy, offset: mistake.offset).at(
        error.keys + mistake.path)
      return
    }
    let reason = error.context?.debugDescription ?? ""
    let words =
      switch error {
      case .keyNotFound(let key, _): "\(field) has no \(key.stringValue.escapedForDisplay)"
      default:
        reason.isEmpty ? "\(field) cannot be used" : "\(field) cannot be used: \(reason.escapedForDisplay)"
      }
    self = InvalidInput(words).at(error.keys)
  }
}
