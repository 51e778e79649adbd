import ProbeBase

/// Declarations of names with their values (ECMAScript §14.3.3).
extension ScriptWalk {
  /// Declares the names of a parameter, a variable or a pattern, and moves after it.
  ///
  /// - Parameter value: The value; its default replaces `undefined`.
  mutating func bind(_ value: ScriptValue) {
    let start = at
    guard depth < Self.maximumDepth else { return at = min(limit, indexAfter(at)) }
    depth += 1
    defer { depth -= 1 }
    at = min(limit, indexAfter(at))
    var value = value
    if kind == .assign {
      at += 1
      let usual = assignment()
      if case .undefined = value { value = usual }
    }
    let end = at
    at = start
    bindPattern(value)
    at = end
  }

  /// Declares the next name, or the names of the next pattern.
  mutating func bindPattern(_ value: ScriptValue) {
    switch kind {
    case .name:
      hide(tokens[at].name)
      if !isDead { set(.variable(tokens[at].name), value) }
    case .openBracket:
      let values = values(of: value)
      within { $0.bindList(values ?? [], otherwise: values == nil ? .unknown : .undefined) }
    case .openBrace: within { $0.bindMembers(of: value) }
    default: break
    }
  }

  /// Declares a list of parameters, or the elements of a pattern.
  ///
  /// - Parameters:
  ///   - values: The values of the first ones.
  ///   - rest: The value of the others.
  mutating func bindList(_ values: [ScriptValue], otherwise rest: ScriptValue) {
    var index = 0
    while at < limit, steps > 0 {
      steps -= 1
      switch kind {
      case .comma:
        index += 1
        at += 1
      case .spread:
        at += 1
        if case .unknown = rest { bind(.unknown) } else { bind(array(Array(values.dropFirst(index)))) }
      case .name, .openBracket, .openBrace: bind(index < values.count ? values[index] : rest)
      default: at += 1
      }
    }
  }

  private mutating func bindMembers(of value: ScriptValue) {
    while at < limit, steps > 0 {
      steps -= 1
      // The rest, or a key that is not a plain name, is unknown.
      let member = kind == .name ? member(tokens[at].name, of: value).value : .unknown
      let (first, next) = (kind, min(limit, indexAfter(at)))
      if token(next).kind == .colon {
        at = next + 1
      } else if first != .name {
        at = next
        if first != .spread { continue }
      }
      bind(member)
    }
  }
}

/// Arrays, and the names of the members of objects (ECMAScript §23.1 and §20.1).
extension ScriptWalk {
  /// The maximum number of values in an array that is tracked.
  static let maximumValues = 1024
  /// The maximum number of objects whose members are known by name, and of arrays.
  static let maximumRecords = 16_384

  mutating func array(_ values: [ScriptValue]) -> ScriptValue {
    guard recordCount < Self.maximumRecords else { return .unknown }
    recordCount += 1
    let record = recordCount
    arrays.insert(record)
    for (index, value) in values.prefix(Self.maximumValues).enumerated() {
      set(.field(Self.key(record, name(of: index))), value)
    }
    set(.field(Self.key(record, ScriptWord.length.name)), .count(ExternalNumber(values.count)))
    return .record(record)
  }

  /// The values of an array; nil if they are not known.
  ///
  /// - Parameters:
  ///   - value: The array.
  ///   - likeAnArray: Whether any object with a length is one (ECMAScript §7.3.18).
  /// - Returns: The values.
  mutating func values(of value: ScriptValue?, likeAnArray: Bool = false) -> [ScriptValue]? {
    guard case .record(let record)? = value, likeAnArray || arrays.contains(record),
      !spoiled.contains(record), !openRecords.contains(record),
      case .count(let length)? = fields[Self.key(record, ScriptWord.length.name)],
      length.value <= Self.maximumValues
    else { return nil }
    let count = max(0, length.value)
    steps -= count
    return (0..<count).map { fields[Self.key(record, name(of: $0))] ?? .undefined }
  }

  /// The names of the members of an object or an array, as texts; nil if they are not known.
  mutating func keys(of value: ScriptValue?) -> [ScriptValue]? {
    if let values = values(of: value) { return values.indices.map { .text(Array("\($0)".utf8)) } }
    guard case .record(let record)? = value, !spoiled.contains(record), let names = keys[record], steps > 0
    else { return nil }
    steps -= names.count
    let texts = names.map { self.names.text(of: $0) }
    // Numbers come first, in their order.
    return texts.contains { $0.first?.isASCIIDigit ?? true } ? nil : texts.map { .text($0) }
  }

  /// The name of an element.
  private mutating func name(of index: Int) -> ScriptName { name(of: Array("\(index)".utf8)[...]) }

  /// The index of a name.
  mutating func name(of text: ArraySlice<UInt8>) -> ScriptName {
    let name = names.number(of: text)
    while variables.count < names.count { variables.append(nil) }
    return name
  }

  /// Sets a member of an object; what depends on a condition may or may not be there.
  mutating func setMember(_ name: ScriptName, of record: Int32, _ value: ScriptValue) {
    let key = Self.key(record, name)
    if arrays.contains(record), case .count(let count)? = fields[Self.key(record, ScriptWord.length.name)] {
      // An array grows by one element, or nothing is known about it.
      let isNext = names.text(of: name) == Array("\(count.value)".utf8) && openWays == 0
      if isNext { set(.field(Self.key(record, ScriptWord.length.name)), .count(count + 1)) }
      if !isNext && fields[key] == nil || name == ScriptWord.length.name { spoiled.insert(record) }
    } else if fields[key] == nil {
      if openWays > 0 { spoiled.insert(record) }
      if record < Self.maximumRecords, !openRecords.contains(record) {
        keys[record, default: []].append(name)
      }
    }
    set(.field(key), value)
  }

  /// Forgets what unknown code may change: objects, and what the functions that it may call set.
  mutating func spoil(_ values: [ScriptValue]) {
    for value in values {
      switch value {
      case .record(let record), .element(let record): spoiled.insert(record)
      case .function(let number):
        let before = (isImmediate, trustsConditions, functions[number].hasRun)
        (isImmediate, trustsConditions) = (false, false)
        merge([outcome { _ = $0.walk(function: number, arguments: []) }])
        (isImmediate, trustsConditions, functions[number].hasRun) = before
        functions[number].isExplored = true
      default: break
      }
    }
  }

  mutating func call(_ word: ScriptWord, ofArray base: ScriptValue, _ arguments: [ScriptValue]) -> ScriptValue
  {
    guard let values = values(of: base), case .record(let record) = base else { return .unknown }
    switch word {
    case .join:
      var separator = ScriptValue.text([UInt8(ascii: ",")])
      if let first = arguments.first { separator = first }
      var text = ScriptValue.text([])
      for (index, value) in values.enumerated() {
        if index > 0 { text = concatenation(text, separator) }
        text = concatenation(text, value)
      }
      return text
    case .push:
      guard openWays == 0 else { break }
      let count = ScriptValue.count(ExternalNumber(values.count + arguments.count))
      for (index, value) in arguments.enumerated() {
        set(.field(Self.key(record, name(of: values.count + index))), value)
      }
      set(.field(Self.key(record, ScriptWord.length.name)), count)
      return count
    case .map, .forEach:
      guard case .function(let number)? = arguments.first,
        mayRepeat(functions[number].body, times: values.count)
      else { break }
      let results = values.enumerated().map {
        walk(function: number, arguments: [$1, .count(ExternalNumber($0)), base])
      }
      return word == .map ? array(results) : .undefined
    case .pop:
      guard openWays == 0, let last = values.last else { break }
      set(.field(Self.key(record, ScriptWord.length.name)), .count(ExternalNumber(values.count - 1)))
      return last
    case .reverse:
      guard openWays == 0 else { break }
      for (index, value) in values.reversed().enumerated() {
        set(.field(Self.key(record, name(of: index))), value)
      }
      return base
    case .slice where arguments.isEmpty, .concat where arguments.isEmpty: return array(values)
    case .indexOf, .includes, .toString, .hasOwnProperty: return .unknown
    default: break
    }
    // Another method may change it.
    spoil([base] + arguments)
    return .unknown
  }
}
