import ProbeCore

/// The effects of calls, as far as they redirect or create texts.
extension ScriptWalk {
  /// Walks a call.
  mutating func call(_ callee: Operand, _ arguments: [ScriptValue]) -> ScriptValue {
    guard !isDead else { return .unknown }
    if case .function(let number) = callee.value { return walk(function: number, arguments: arguments) }
    switch callee.place {
    case .variable(let name): return callGlobal(name, arguments)
    case .member(let base, let name):
      guard name < ScriptWord.numbered.count else { return .unknown }
      let word = ScriptWord.numbered[Int(name)]
      switch base {
      case .object(.window): return callGlobal(name, arguments)
      case .object(let object): return call(word, of: object, arguments)
      case .text(let text): return call(word, of: text, arguments)
      case .pattern where word == .test:
        guard case .text(let text)? = arguments.first else { return .unknown }
        return look(.includes, for: base, in: text)
      case .function(let number): return call(word, of: number, arguments)
      default: return callAnything(word, arguments)
      }
    case .none, .anyMember: return .unknown
    }
  }

  private mutating func callGlobal(_ name: ScriptName, _ arguments: [ScriptValue]) -> ScriptValue {
    guard variables[Int(name)] == nil, name < ScriptWord.numbered.count else { return .unknown }
    let word = ScriptWord.numbered[Int(name)]
    switch word {
    case .setTimeout, .setInterval, .requestAnimationFrame: runLater(arguments.first)
    case .addEventListener, .attachEvent: listen(arguments)
    case .open: open(arguments)
    case .navigate: lead(to: arguments.first ?? .undefined, .call)
    case .eval:
      if case .text(let text)? = arguments.first { walkInner(text) }
    case .dollar, .jQuery:
      guard let first = arguments.first else { return .unknown }
      if case .object(let object) = first { return .object(object.wrapped) }
      if case .function = first { runLater(first) }
    case .toText: return arguments.first.map { .text(bytes(of: $0)) } ?? .text([])
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
      lead(to: target, .call)
    } else {
      lead(to: target, .window)
    }
  }

  private mutating func call(
    _ word: ScriptWord, of object: ScriptObject, _ arguments: [ScriptValue]
  ) -> ScriptValue {
    switch (object, word) {
    case (.location, .replace), (.location, .assign): lead(to: arguments.first ?? .undefined, .call)
    case (.location, .toString), (.location, .valueOf): return .text(Array(page.string.utf8))
    case (.document, .write), (.document, .writeln): write(arguments)
    case (.document, .addEventListener), (.document, .attachEvent), (.wrappedWindow, .on),
      (.wrappedDocument, .on), (.wrappedWindow, .bind), (.wrappedDocument, .bind), (.wrappedWindow, .one),
      (.wrappedDocument, .one):
      listen(arguments)
    case (.wrappedDocument, .ready), (.wrappedWindow, .load), (.wrappedWindow, .ready):
      runLater(arguments.first)
    case (.wrappedLocation, .attr), (.wrappedLocation, .prop):
      if arguments.count > 1, case .text(let name) = arguments[0], name == Array("href".utf8) {
        lead(to: arguments[1], .assignment)
      }
    case (.wrappedWindow, .attr), (.wrappedWindow, .prop), (.wrappedDocument, .attr),
      (.wrappedDocument, .prop):
      if arguments.count > 1, case .text(let name) = arguments[0], name == Array("location".utf8) {
        lead(to: arguments[1], .assignment)
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
    case .call: walk(function: function, arguments: Array(arguments.dropFirst()))
    case .apply: walk(function: function, arguments: [])
    case .bind: .function(function)
    default: .unknown
    }
  }

  private mutating func callAnything(_ word: ScriptWord, _ arguments: [ScriptValue]) -> ScriptValue {
    switch word {
    case .submit, .requestSubmit:
      // With an argument, it registers a listener in jQuery.
      if arguments.isEmpty, isImmediate { submitsForm = true }
    case .fromCharCode:
      var text: [UInt8] = []
      for argument in arguments {
        guard case .number(let digits) = argument, let code = UInt32(String(decoding: digits, as: UTF8.self))
        else { return .unknown }
        text.append(scalar: code)
      }
      // The rest of a long list is unknown.
      if arguments.count == Self.maximumArguments { text.append(ScriptText.hole) }
      return .text(text)
    default: break
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
      guard arguments.count == 2, case .text(let old) = arguments[0], case .text(let new) = arguments[1]
      else {
        return .unknown
      }
      return replacement(of: old, by: new, in: text)
    default: return .unknown
    }
  }

  private mutating func part(of text: [UInt8], _ word: ScriptWord, _ arguments: [ScriptValue]) -> ScriptValue
  {
    var bounds: [Int] = []
    for argument in arguments.prefix(2) {
      guard let bound = argument.integer, bound >= 0 else { return .unknown }
      bounds.append(min(bound, text.count))
    }
    guard let start = bounds.first, isKnownASCII(text) else { return .unknown }
    guard bounds.count > 1 else { return .text(Array(text[start...])) }
    if word == .substr { return .text(Array(text[start...].prefix(bounds[1]))) }
    guard start <= bounds[1] else { return .unknown }
    return .text(Array(text[start..<bounds[1]]))
  }

  private mutating func replacement(of old: [UInt8], by new: [UInt8], in text: [UInt8]) -> ScriptValue {
    guard !text.contains(ScriptText.hole), let places = places(of: old, in: text) else { return .unknown }
    guard let start = places.first else { return .text(text) }
    let result = text[..<start] + new + text[(start + old.count)...]
    return result.count <= ScriptText.maximumLength ? .text(Array(result)) : .unknown
  }

  /// The offsets of a text in another, without overlaps; nil for the empty text, or if the search costs too
  /// much.
  private mutating func places(of part: [UInt8], in text: [UInt8]) -> [Int]? {
    textBudget -= text.count * (part.count / 8 + 1)
    guard textBudget > 0, !part.isEmpty else { return nil }
    var places: [Int] = []
    var start = 0
    while start + part.count <= text.count {
      if text[start..<(start + part.count)] == part[...] {
        places.append(start)
        start += part.count
      } else {
        start += 1
      }
    }
    return places
  }

  /// Searches or splits a text (ECMAScript §22.1.3): the index of a part, whether it occurs, or the parts
  /// around it.
  private mutating func look(_ word: ScriptWord, for part: ScriptValue, in text: [UInt8]) -> ScriptValue {
    let isPattern = word == .search || word == .match
    let wanted: [UInt8]? =
      switch part {
      case .pattern(let part): part
      case .text(let part): isPattern ? part[...].textOfPattern : part
      default: nil
      }
    guard let wanted, !wanted.contains(ScriptText.hole), isKnownASCII(text),
      let places = places(of: wanted, in: text)
    else { return .unknown }
    switch word {
    case .includes: return .fact(!places.isEmpty)
    case .lastIndexOf: return wanted.count == 1 ? .count(places.last ?? -1) : .unknown
    case .match: return places.isEmpty ? .undefined : .fact(true)
    case .split:
      recordCount += 1
      set(.field(Self.key(recordCount, ScriptWord.lengthName)), .count(places.count + 1))
      return .record(recordCount)
    default: return .count(places.first ?? -1)
    }
  }
}
