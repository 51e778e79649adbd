import ProbeCore

/// The effects of calls, as far as they redirect or create texts.
extension ScriptWalk {
  mutating func call(_ callee: Operand, _ arguments: [ScriptValue]) -> ScriptValue {
    guard !isDead else { return .unknown }
    if case .record(let record) = callee.value { return instance(of: record, arguments) }
    if case .function(let number) = callee.value {
      if let text = unpacked(by: functions[number], arguments) { return text }
      var this = ScriptValue.object(.window)
      if case .member(let base, _) = callee.reference { this = base }
      return walk(function: number, arguments: arguments, this: this)
    }
    switch callee.reference {
    case .variable(let name): return callGlobal(name, arguments)
    case .member(let base, let name):
      guard name < ScriptWord.numbered.count else {
        noteRequest(by: name, arguments, isMethod: true)
        spoil([base] + arguments)
        return .unknown
      }
      let word = ScriptWord.numbered[Int(widening: name)]
      if word == .setAttribute || word == .attr || word == .prop { noteRequest(settingAttribute: arguments) }
      switch base {
      case .object(.window): return callGlobal(name, arguments)
      case .object(let object): return call(word, of: object, arguments)
      case .text(let text): return call(word, of: text, arguments)
      case .pattern where word == .test:
        guard case .text(let text)? = arguments.first else { return .unknown }
        return look(.includes, for: base, in: text)
      case .function(let number): return call(word, of: number, arguments)
      case .element(let element): return call(word, ofElement: element, arguments)
      case .record(let record) where isURL(record): return call(word, ofURL: record, arguments)
      case .record where values(of: base) != nil: return call(word, ofArray: base, arguments)
      default:
        noteRequest(by: word, ofUnknown: arguments)
        return callAnything(word, arguments)
      }
    case .none, .anyMember:
      spoil(arguments)
      return .unknown
    }
  }

  /// Creates an object of a class.
  private mutating func instance(of template: Int32, _ arguments: [ScriptValue]) -> ScriptValue {
    guard let texts = keys(of: .record(template)), let names = keys[template] else { return .unknown }
    recordCount += 1
    let record = recordCount
    steps -= texts.count
    for name in names {
      if let method = fields[Self.key(template, name)] { setMember(name, of: record, method) }
    }
    if case .function(let number)? = fields[Self.key(template, ScriptWord.constructor.name)] {
      _ = walk(function: number, arguments: arguments, this: .record(record))
    }
    return .record(record)
  }

  /// The output of the packer whose parameters are `p,a,c,k,…`: each word of its text is the number of
  /// another word.
  private mutating func unpacked(by function: ScriptFunction, _ arguments: [ScriptValue]) -> ScriptValue? {
    let names = tokens[function.parameters].prefix(8).map {
      source[Int(widening: $0.start)..<Int(widening: $0.end)]
    }
    guard names.joined().starts(with: "p,a,c,k".utf8), arguments.count > 3,
      case .text(let text) = arguments[0],
      let base = arguments[1].integer, (2...62).contains(base), let words = values(of: arguments[3])
    else { return nil }
    let result = ScriptTextFunction.unpacked(text, base: base, words: words.map(bytes(of:)))
    textBudget -= text.count * 16 + result.count
    return textBudget > 0 && result.count <= ScriptText.maximumLength ? .text(result) : .unknown
  }

  private mutating func callGlobal(_ name: ScriptName, _ arguments: [ScriptValue]) -> ScriptValue {
    guard variables[Int(widening: name)] == nil, name < ScriptWord.numbered.count else {
      if variables[Int(widening: name)] == nil { noteRequest(by: name, arguments, isMethod: false) }
      spoil(arguments)
      return .unknown
    }
    let word = ScriptWord.numbered[Int(widening: name)]
    switch word {
    case .setTimeout, .setInterval, .requestAnimationFrame:
      runLater(arguments.first, Array(arguments.dropFirst(2)))
    case .addEventListener, .attachEvent: listen(arguments)
    case .open: open(arguments)
    case .navigate: recordRedirect(to: arguments.first ?? .undefined, .call)
    case .eval:
      if case .text(let text)? = arguments.first { walkInner(text) }
    case .dollar, .jQuery:
      guard let first = arguments.first else { return .unknown }
      if case .object(let object) = first { return .object(object.wrapped) }
      if case .function = first { runLater(first) }
      if case .text(let text) = first { return wrapped(text) }
    case .toText: return arguments.first.map { .text(bytes(of: $0)) } ?? .text([])
    case .params: return makeQuery(arguments.first)
    case .documentURL: return makeURL(arguments)
    case .object:
      recordCount += 1
      return .record(recordCount)
    default:
      guard let first = arguments.first, let function = ScriptTextFunction(word) else { return .unknown }
      let text = bytes(of: first)
      // Inspecting each byte costs more than copying it.
      textBudget -= text.count * 16
      guard textBudget > 0, let result = function.result(of: text) else { return .unknown }
      return result.count <= ScriptText.maximumLength ? .text(result) : .unknown
    }
    return .unknown
  }

  private mutating func open(_ arguments: [ScriptValue]) {
    guard let target = arguments.first else { return }
    // Windows of these names are replaced by this page.
    let own = ["_self", "_top", "_parent"].map { Array($0.utf8) }
    if arguments.count > 1, case .text(let name) = arguments[1], own.contains(name) {
      recordRedirect(to: target, .call)
    } else {
      recordRedirect(to: target, .window)
    }
  }

  private mutating func call(
    _ word: ScriptWord, of object: ScriptObject, _ arguments: [ScriptValue]
  ) -> ScriptValue {
    switch (object, word) {
    case (.location, .replace), (.location, .assign): recordRedirect(to: arguments.first ?? .undefined, .call)
    case (.location, .toString), (.location, .valueOf): return .text(Array(page.string.utf8))
    case (.document, .write), (.document, .writeln): write(arguments)
    case (.document, .addEventListener), (.document, .attachEvent), (.wrappedWindow, .on),
      (.wrappedDocument, .on), (.wrappedWindow, .bind), (.wrappedDocument, .bind), (.wrappedWindow, .one),
      (.wrappedDocument, .one):
      listen(arguments)
    case (.document, .createElement):
      guard case .text(let tag)? = arguments.first else { break }
      return makeElement(
        PageElement(tag: String(decoding: tag, as: UTF8.self).lowercased(), isAdded: true), hasFields: false)
    case (.document, .getElementById):
      guard case .text(let id)? = arguments.first else { break }
      return element([UInt8(ascii: "#")] + id)
    case (.document, .append), (.document, .appendChild): return arguments.first ?? .undefined
    case (.document, .querySelector):
      guard case .text(let selector)? = arguments.first else { break }
      return element(selector)
    case (.wrappedDocument, .ready), (.wrappedWindow, .load), (.wrappedWindow, .ready):
      runLater(arguments.first)
    case (.wrappedLocation, .attr), (.wrappedLocation, .prop):
      if arguments.count > 1, case .text(let name) = arguments[0], name == Array("href".utf8) {
        recordRedirect(to: arguments[1], .assignment)
      }
    case (.wrappedWindow, .attr), (.wrappedWindow, .prop), (.wrappedDocument, .attr),
      (.wrappedDocument, .prop):
      if arguments.count > 1, case .text(let name) = arguments[0], name == Array("location".utf8) {
        recordRedirect(to: arguments[1], .assignment)
      }
    default: break
    }
    return .unknown
  }

  /// Walks a listener of an event that occurs automatically.
  private mutating func listen(_ arguments: [ScriptValue]) {
    guard arguments.count > 1, case .text(let event) = arguments[0] else { return }
    let own = [
      "load", "onload", "DOMContentLoaded", "pageshow", "ready", "readystatechange", "onreadystatechange",
    ]
    if own.contains(where: { Array($0.utf8) == event }) { runLater(arguments[1]) }
  }

  private mutating func call(
    _ word: ScriptWord, of function: Int, _ arguments: [ScriptValue]
  ) -> ScriptValue {
    switch word {
    case .call: walk(function: function, arguments: Array(arguments.dropFirst()), this: arguments.first)
    case .apply:
      walk(
        function: function, arguments: values(of: arguments.dropFirst().first, likeAnArray: true) ?? [],
        this: arguments.first)
    case .bind: bound(function, to: arguments.first)
    default: .unknown
    }
  }

  private mutating func bound(_ function: Int, to this: ScriptValue?) -> ScriptValue {
    functions[function].bound = functions[function].bound.map { _ in .unknown } ?? this
    return .function(function)
  }

  private mutating func callAnything(_ word: ScriptWord, _ arguments: [ScriptValue]) -> ScriptValue {
    switch word {
    case .submit, .requestSubmit:
      // With an argument, it registers a listener in jQuery.
      if arguments.isEmpty, isImmediate { submitsForm = true }
    // The position in the page does not matter.
    case .append, .appendChild, .insertBefore: return arguments.first ?? .undefined
    case .fromCharCode:
      var text: [UInt8] = []
      for argument in arguments {
        guard case .number(let digits) = argument,
          let code = UInt32(text: String(decoding: digits, as: UTF8.self))
        else { return .unknown }
        text.append(scalar: code)
      }
      // The rest of a long list is unknown.
      if arguments.count == Self.maximumArguments { text.append(ScriptText.hole) }
      return .text(text)
    case .keys: return keys(of: arguments.first).map { array($0) } ?? .unknown
    case .entries:
      guard case .record(let record)? = arguments.first, keys(of: arguments[0]) != nil,
        let names = keys[record]
      else { return .unknown }
      return array(
        names.map { name in
          array([.text(self.names.text(of: name)), fields[Self.key(record, name)] ?? .unknown])
        })
    case .parse:
      // This is JSON, not the input of another function with this name.
      guard case .text(let text)? = arguments.first, !text.contains(ScriptText.hole),
        let start = text.first(where: { $0 > 0x20 }), [UInt8](#"{[""#.utf8).contains(start)
      else { return .unknown }
      return walkInner([UInt8(ascii: "(")] + text + [UInt8(ascii: ")")]) { $0.expression() } ?? .unknown
    default: spoil(arguments)
    }
    return .unknown
  }

  private mutating func call(
    _ word: ScriptWord, of text: [UInt8], _ arguments: [ScriptValue]
  ) -> ScriptValue {
    textBudget -= text.count
    guard textBudget > 0 else { return .unknown }
    switch word {
    case .toString, .valueOf, .trim: return .text(text)
    case .concat: return arguments.reduce(.text(text)) { concatenation($0, $1) }
    case .toLowerCase: return .text(text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    case .toUpperCase: return .text(text.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 })
    case .substring, .slice, .substr: return part(of: text, word, arguments)
    case .indexOf, .lastIndexOf, .includes, .search, .match, .split:
      return arguments.count == 1 ? look(word, for: arguments[0], in: text) : .unknown
    case .replace:
      guard arguments.count == 2, case .text(let new) = arguments[1], !new.contains(UInt8(ascii: "$")) else {
        return .unknown
      }
      switch arguments[0] {
      case .text(let old): return replacement(of: old, by: new, in: text)
      case .pattern(let old, let isGlobal):
        return replacement(of: old, by: new, in: text, everywhere: isGlobal)
      default: return .unknown
      }
    default: return .unknown
    }
  }

  private mutating func part(of text: [UInt8], _ word: ScriptWord, _ arguments: [ScriptValue]) -> ScriptValue
  {
    var bounds: [Int] = []
    for argument in arguments.prefix(2) {
      guard let bound = argument.integer, bound >= 0 || word == .slice || word == .substr && bounds.isEmpty
      else {
        return .unknown
      }
      bounds.append(min(max(0, bound < 0 ? text.count + bound : bound), text.count))
    }
    guard let start = bounds.first, isKnownASCII(text) else { return .unknown }
    guard bounds.count > 1 else { return .text(Array(text[start...])) }
    if word == .substr { return .text(Array(text[start...].prefix(bounds[1]))) }
    guard start <= bounds[1] else { return .unknown }
    return .text(Array(text[start..<bounds[1]]))
  }

  private mutating func replacement(
    of old: [UInt8], by new: [UInt8], in text: [UInt8], everywhere: Bool = false
  ) -> ScriptValue {
    guard !text.contains(ScriptText.hole), let offsets = offsets(of: old, in: text) else { return .unknown }
    var result: [UInt8] = []
    var start = 0
    for offset in offsets.prefix(everywhere ? offsets.count : 1) {
      result += text[start..<offset] + new
      start = offset + old.count
      guard result.count <= ScriptText.maximumLength else { return .unknown }
    }
    result += text[start...]
    return result.count <= ScriptText.maximumLength ? .text(result) : .unknown
  }

  /// The offsets of a text in another, without overlaps; nil for the empty text, or if the search costs too
  /// much.
  private mutating func offsets(of part: [UInt8], in text: [UInt8]) -> [Int]? {
    textBudget -= text.count * (part.count / 8 + 1)
    guard textBudget > 0, let first = part.first else { return nil }
    var offsets: [Int] = []
    var start = 0
    while start + part.count <= text.count {
      if text[start] == first, text[start..<(start + part.count)] == part[...] {
        offsets.append(start)
        start += part.count
      } else {
        start += 1
      }
    }
    return offsets
  }

  /// Searches or splits a text (ECMAScript §22.1.3): the index of a part, whether it occurs, or the parts
  /// around it.
  private mutating func look(_ word: ScriptWord, for part: ScriptValue, in text: [UInt8]) -> ScriptValue {
    let isPattern = word == .search || word == .match
    let wanted: [UInt8]? =
      switch part {
      case .pattern(let part, _): part
      case .text(let part): isPattern ? part[...].textOfPattern : part
      default: nil
      }
    guard let wanted, !wanted.contains(ScriptText.hole), isKnownASCII(text),
      let offsets = offsets(of: wanted, in: text)
    else { return .unknown }
    switch word {
    case .includes: return .fact(!offsets.isEmpty)
    case .lastIndexOf: return wanted.count == 1 ? .count(ExternalNumber(offsets.last ?? -1)) : .unknown
    case .match: return offsets.isEmpty ? .undefined : .fact(true)
    case .split:
      var parts: [ScriptValue] = []
      var start = 0
      // An array that is too long has nothing but its length.
      for offset in offsets.prefix(Self.maximumValues) {
        parts.append(.text(Array(text[start..<offset])))
        start = offset + wanted.count
      }
      parts.append(.text(Array(text[start...])))
      let result = array(parts)
      if case .record(let record) = result {
        set(.field(Self.key(record, ScriptWord.length.name)), .count(ExternalNumber(offsets.count + 1)))
      }
      return result
    default: return .count(ExternalNumber(offsets.first ?? -1))
    }
  }
}
