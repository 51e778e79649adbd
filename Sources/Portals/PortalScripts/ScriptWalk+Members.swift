import ProbeCore

/// The values of names and members, and the effects of assignments to them.
extension ScriptWalk {
  func value(of name: ScriptName) -> ScriptValue {
    if let value = variables[Int(widening: name)] { return value }
    guard name < ScriptWord.numbered.count else { return .unknown }
    switch ScriptWord.numbered[Int(widening: name)] {
    // A page outside a frame is its own parent; whether it is in a frame is unknown, but the window is a safe
    // assumption.
    case .window, .selfWindow, .top, .parent, .globalThis, .frames, .this: return .object(.window)
    case .document: return .object(.document)
    case .location: return .object(.location)
    case .undefined, .null: return .undefined
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .origin: return .text(origin)
    default: return .unknown
    }
  }

  mutating func member(_ name: ScriptName, of base: ScriptValue) -> Operand {
    let reference = ScriptReference.member(of: base, name)
    let word = name < ScriptWord.numbered.count ? ScriptWord.numbered[Int(widening: name)] : nil
    let value: ScriptValue =
      switch (base, word) {
      case (.record(let record), .href) where isURL(record): call(.toString, ofURL: record, [])
      case (.record(let record), _) where spoiled.contains(record): .unknown
      case (.record(let record), _):
        // What an object with known members lacks is undefined.
        fields[Self.key(record, name)] ?? (keys[record] == nil || word != nil ? .unknown : .undefined)
      case (.element(let element), _): property(name, of: element)
      case (.object(.window), _): value(of: name)
      case (.object(.document), let word?): member(ofDocument: word)
      case (.object(.document), nil), (.object(.forms), _): form(name)
      case (.object(.location), let word?): member(ofLocation: word)
      case (.text(let text), .length) where isKnownASCII(text): .count(ExternalNumber(text.count))
      default: .unknown
      }
    return Operand(value: value, reference: reference)
  }

  /// Whether a text is completely known and ASCII, so that bytes are characters.
  mutating func isKnownASCII(_ text: [UInt8]) -> Bool {
    textBudget -= text.count
    guard textBudget > 0 else { return false }
    var index = 0
    while index < text.count, text[index] < 0x80, text[index] != ScriptText.hole { index += 1 }
    return index == text.count
  }

  /// The form with a name or a number; unknown if there is none.
  private mutating func form(_ name: ScriptName) -> ScriptValue {
    let form = element(Array(":form ".utf8) + names.text(of: name))
    if case .element(let element) = form, elements[element]?.written.tag == "form" { return form }
    return .unknown
  }

  private mutating func member(ofDocument word: ScriptWord) -> ScriptValue {
    switch word {
    case .forms: .object(.forms)
    case .dataset: member(word.name, of: element(Array("body".utf8))).value
    case .location: .object(.location)
    case .documentURL, .documentURI, .baseURI: .text(Array(page.string.utf8))
    case .defaultView: .object(.window)
    case .body, .documentElement: .object(.document)
    case .domain: .text(Array(page.host.utf8))
    default: .unknown
    }
  }

  private func member(ofLocation word: ScriptWord) -> ScriptValue {
    switch word {
    case .href: .text(Array(page.string.utf8))
    case .scheme: .text(Array("\(page.scheme):".utf8))
    case .host: .text(host)
    case .hostname: .text(hostname)
    case .port: .text(page.explicitPort.map { Array("\($0)".utf8) } ?? [])
    case .pathname: .text(Array((page.path.isEmpty ? "/" : page.path).utf8))
    case .search: .text(page.query.map { Array("?\($0)".utf8) } ?? [])
    case .hash: .text(page.fragment.map { Array("#\($0)".utf8) } ?? [])
    case .origin: .text(origin)
    default: .unknown
    }
  }

  private var hostname: [UInt8] { Self.hostname(of: page) }
  private var host: [UInt8] { hostname + (page.explicitPort.map { Array(":\($0)".utf8) } ?? []) }
  private var origin: [UInt8] { Self.origin(of: page) }

  private static func hostname(of url: ProbeURL) -> [UInt8] {
    Array(url.host.bracketedHost.utf8)
  }

  static func origin(of url: ProbeURL, withDefaultPort: Bool = true) -> [UInt8] {
    let port = withDefaultPort || url.explicitPort != url.scheme.defaultPort ? url.explicitPort : nil
    return Array("\(url.scheme)://".utf8) + hostname(of: url) + (port.map { Array(":\($0)".utf8) } ?? [])
  }

  /// The key of a field in the table of all records.
  static func key(_ record: Int32, _ name: ScriptName) -> UInt64 {
    UInt64(widening: UInt32(bitPattern: record)) << 32 | UInt64(widening: UInt32(bitPattern: name))
  }

  /// Performs an assignment.
  mutating func assign(_ value: ScriptValue, to reference: ScriptReference) {
    guard !isDead else { return }
    switch reference {
    case .none: break
    case .anyMember(let base): spoil([base])
    case .variable(let name): assign(value, toVariable: name)
    case .member(let base, let name):
      switch base {
      case .element, .unknown: if ScriptRequestWord(name) == .source { request(value) }
      default: break
      }
      switch base {
      case .object(.window): assign(value, toVariable: name)
      case .object(let object):
        guard name < ScriptWord.numbered.count else { return }
        assign(value, to: ScriptWord.numbered[Int(widening: name)], of: object)
      case .record(let record):
        if isURL(record) { spoil([base]) } else { setMember(name, of: record, value) }
      case .element(let element): setAttribute(name, of: element, value)
      default: break
      }
    }
  }

  private mutating func assign(_ value: ScriptValue, toVariable name: ScriptName) {
    if name < ScriptWord.numbered.count, variables[Int(widening: name)] == nil {
      switch ScriptWord.numbered[Int(widening: name)] {
      case .location: return recordRedirect(to: value, .assignment)
      case .onload, .onpageshow: return runLater(value)
      // These cannot be replaced.
      case .window, .document, .this, .selfWindow: return
      default: break
      }
    }
    set(.variable(name), value)
  }

  private mutating func assign(_ value: ScriptValue, to word: ScriptWord, of object: ScriptObject) {
    switch (object, word) {
    case (.document, .location), (.location, .href): recordRedirect(to: value, .assignment)
    case (.location, .host), (.location, .hostname):
      let start = ScriptValue.text(Array("\(page.scheme)://".utf8) + bytes(of: value))
      var port: [UInt8] = []
      if word == .hostname { port = Array(host[hostname.count...]) }
      let rest = Array((page.path + (page.query.map { "?\($0)" } ?? "")).utf8)
      recordRedirect(to: concatenation(start, .text(port + rest)), .assignment)
    case (.location, .search):
      let query = bytes(of: value)
      // With another query it is the same page.
      guard !query.contains(ScriptText.hole) else { return }
      recordRedirect(
        to: .text(query.first == UInt8(ascii: "?") ? query : [UInt8(ascii: "?")] + query), .assignment)
    case (.location, .pathname):
      let path = bytes(of: value)
      recordRedirect(
        to: .text(path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path), .assignment)
    case (.document, .onload), (.document, .onreadystatechange), (.document, .onpageshow): runLater(value)
    case (.document, .innerHTML): _ = addElements(of: value)
    default: break
    }
  }

  /// Schedules a function with its arguments, or a text that is a script, to run once the page has loaded.
  mutating func runLater(_ value: ScriptValue?, _ arguments: [ScriptValue] = []) {
    switch value {
    case .function(let number): put(off: .function(number, arguments))
    case .text(let text): put(off: .script(text, depth: innerDepth))
    default: break
    }
  }
}
