import ProbeCore

/// Elements that scripts look up or create (DOM standard §4.9), as objects whose members are their attributes.
///
/// An element is identified by its index in the page, so that all lookups find the same one; an element that
/// the page reader did not keep is identified by its selector.
extension ScriptWalk {
  /// An element, apart from the attributes that scripts have set.
  struct Element {
    let written: PageElement
    /// Whether it may have fields, which are part of the URL of a form that is submitted by GET.
    var hasFields: Bool
    /// Whether it is wrapped by jQuery, whose `click` does not follow a link.
    var isWrapped = false
  }

  mutating func makeElement(_ written: PageElement, hasFields: Bool = true) -> ScriptValue {
    guard recordCount < Self.maximumRecords else { return .unknown }
    recordCount += 1
    elements[recordCount] = Element(written: written, hasFields: hasFields)
    openRecords.insert(recordCount)
    return .element(recordCount)
  }

  /// The element that a selector finds; `#` is for ids, and `:form ` for the forms of the document by name or number.
  mutating func element(_ selector: [UInt8]) -> ScriptValue {
    textBudget -= selector.count
    guard textBudget > 0, selector.count <= 256, !selector.contains(ScriptText.hole) else { return .unknown }
    steps -= pageElements.count / 16
    if let index = pageElements.firstIndex(matching: String(decoding: selector, as: UTF8.self)) {
      return element(at: index)
    }
    return element(known: selector, PageElement(tag: ""))
  }

  /// An element by its index among those of the page.
  mutating func element(at index: Int) -> ScriptValue {
    element(known: Array(":\(index)".utf8), pageElements[index])
  }

  private mutating func element(known key: [UInt8], _ written: PageElement) -> ScriptValue {
    if let known = selected[key] { return .element(known) }
    let value = makeElement(written)
    if case .element(let element) = value { selected[key] = element }
    return value
  }

  /// The element that jQuery finds by a selector, or creates from markup.
  mutating func wrapped(_ text: [UInt8]) -> ScriptValue {
    let value = text.first == UInt8(ascii: "<") ? addElements(of: .text(text)) : element(text)
    if case .element(let element) = value { elements[element]?.isWrapped = true }
    return value
  }

  /// A property of an element: its attribute, but URLs are resolved (HTML standard §2.6.1).
  mutating func property(_ name: ScriptName, of record: Int32) -> ScriptValue {
    let value = attribute(name, of: record)
    guard Self.urls.contains(String(decoding: names.text(of: name), as: UTF8.self)),
      case .text(let text) = value,
      !text.contains(ScriptText.hole)
    else {
      return value
    }
    textBudget -= text.count * 16
    guard textBudget > 0 else { return .unknown }
    let base = pageElements.first { $0.tag == "base" }?.attributes["href"].flatMap(page.resolve) ?? page
    return base.resolve(String(decoding: text, as: UTF8.self)).map { .text(Array($0.string.utf8)) }
      ?? .unknown
  }

  private static let urls: Set = ["action", "href", "src"]

  mutating func attribute(_ name: ScriptName, of record: Int32) -> ScriptValue {
    guard let element = elements[record], !spoiled.contains(record) else { return .unknown }
    if let value = fields[Self.key(record, name)] { return value }
    let text = String(decoding: names.text(of: name), as: UTF8.self)
    if let value = element.written.attributes[text] { return .text(Array(value.utf8)) }
    switch text {
    // A jQuery selection is a list.
    case "0": return .element(record)
    case "dataset": return dataset(of: record)
    default:
      return element.written.isAdded && (text == "value" || Self.urls.contains(text)) ? .text([]) : .unknown
    }
  }

  private mutating func dataset(of record: Int32) -> ScriptValue {
    let value = makeElement(PageElement(tag: ""))
    guard case .element(let dataset) = value, let written = elements[record]?.written else { return value }
    for name in written.attributes.keys where name.hasPrefix("data-") {
      // `data-login-url` is `loginUrl`.
      let words = name.dropFirst(5).split(separator: "-")
      let property = words.dropFirst().reduce("\(words.first ?? "")") {
        $0 + $1.prefix(1).uppercased() + $1.dropFirst()
      }
      let text = attribute(self.name(of: Array(name.utf8)[...]), of: record)
      set(.field(Self.key(dataset, self.name(of: Array(property.utf8)[...]))), text)
    }
    set(.field(Self.key(record, ScriptWord.dataset.name)), value)
    return value
  }

  mutating func setAttribute(_ name: ScriptName, of record: Int32, _ value: ScriptValue) {
    switch (names.text(of: name), elements[record]?.written.tag) {
    case (Array("innerHTML".utf8), _): _ = addElements(of: value)
    case (Array("src".utf8), "iframe"), (Array("src".utf8), "frame"): recordRedirect(to: value, .frame)
    default: break
    }
    setMember(name, of: record, value)
  }

  mutating func call(_ word: ScriptWord, ofElement record: Int32, _ arguments: [ScriptValue]) -> ScriptValue {
    let base = ScriptValue.element(record)
    switch word {
    case .submit, .requestSubmit:
      // With an argument, jQuery registers a listener.
      if arguments.isEmpty || word == .requestSubmit { submit(record) }
    case .click where arguments.isEmpty:
      guard let element = elements[record], element.written.tag == "a", !element.isWrapped else { break }
      recordRedirect(to: attribute(ScriptWord.href.name, of: record), .assignment)
    case .val: return access("value", of: record, to: arguments.first)
    case .attr, .prop, .getAttribute, .setAttribute, .data:
      guard case .text(let text)? = arguments.first, text.count <= 256, !text.contains(ScriptText.hole) else {
        spoil([base])
        break
      }
      if word == .data, arguments.count > 1 {
        // It is stored by jQuery, not in the page.
        spoil([base])
        return base
      }
      let name = (word == .data ? "data-" : "") + String(decoding: text, as: UTF8.self).lowercased()
      return access(name, of: record, to: arguments.dropFirst().first)
    case .append, .appendChild, .insertBefore:
      elements[record]?.hasFields = true
      _ = addElements(of: arguments.first)
      return word == .append ? base : arguments.first ?? .undefined
    case .appendTo, .hide, .show: return base
    default: spoil(arguments)
    }
    return .unknown
  }

  /// Sets an attribute, or returns it.
  private mutating func access(_ name: String, of record: Int32, to value: ScriptValue?) -> ScriptValue {
    if name.hasPrefix("data-"), let dataset = fields[Self.key(record, ScriptWord.dataset.name)] {
      // Scripts may have changed the data in both ways.
      spoil([.element(record), dataset])
    }
    let name = self.name(of: Array(name.utf8)[...])
    guard let value else { return attribute(name, of: record) }
    setAttribute(name, of: record, value)
    return .element(record)
  }

  /// Submits a form (HTML standard §4.10.22.3).
  private mutating func submit(_ record: Int32) {
    let action = attribute(ScriptWord.action.name, of: record)
    guard let element = elements[record],
      element.written.isAdded || fields[Self.key(record, ScriptWord.action.name)] != nil
        || spoiled.contains(record)
    else {
      // The page has the form and its target.
      if isImmediate { submitsForm = true }
      return
    }
    if case .text(let method) = attribute(ScriptWord.method.name, of: record),
      String(decoding: method, as: UTF8.self).lowercased() == "post"
    {
      return recordRedirect(to: action, .form)
    }
    // The fields replace a query.
    let path = bytes(of: action).prefix { $0 != UInt8(ascii: "?") }
    let query = [UInt8(ascii: "?")] + (element.hasFields ? [ScriptText.hole] : [])
    recordRedirect(to: concatenation(.text(Array(path)), .text(query)), .form)
  }
}
