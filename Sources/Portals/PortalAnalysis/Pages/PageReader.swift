import ProbeBase
import PortalScripts

/// Collects the contents of a page while it is visited.
struct PageReader: HTMLVisitor {
  private(set) var page = Page()
  /// The open elements whose text is not visible, and how it is used instead.
  private var inner: [(tag: HTMLTag, use: TextUse)] = []
  /// Whether the current position is inside a form.
  private var isInForm = false
  /// Whether nothing has followed the start of a form.
  private var isFormEmpty = false
  private var openLink: Int?
  /// The form of the open button: its index, or nil for the fields outside any form; nil if none is open.
  private var buttonOwner: Int??
  /// The forms with an id, of which the first with each counts.
  private var namedForms: [String: Int] = [:]
  /// The number of elements around the outermost disabled group of fields that is open.
  private var disabledDepth: Int?
  /// The number of buttons with a URL of their own.
  private var buttonActions = 0
  /// The part of the page that the current position is in.
  private var region = PageRegion.message
  /// The number of open elements.
  private var depth = 0
  /// The parts around the current one, each with the number of elements around the one that began the next part.
  private var outer: [(region: PageRegion, depth: Int)] = []

  private enum TextUse { case script, title, nothing }

  mutating func enter(_ element: borrowing HTMLElement) {
    let tag = element.tag
    if let inner = region.region(in: element) {
      outer.append((region, depth))
      region = inner
    }
    depth += 1
    page.shape = PageShape.adding(UInt8(truncatingIfNeeded: element.tagNumber), to: page.shape)
    if !element.isBare { readNames(of: element) }
    readElement(element)
    isFormEmpty = false
    switch tag {
    case .script: enterScript(element)
    case .style, .noframes: inner.append((tag, .nothing))
    case .title: inner.append((tag, .title))
    case .meta: readMeta(element)
    case .html: declare(language: element["lang"])
    // One in a template or in a drawing is not the page's.
    case .base where element.isHTML && region != .hidden: page.base = page.base ?? element["href"]
    case .a, .area: enterLink(element)
    case .frame, .iframe:
      if let source = element["src"], page.frames.count < Page.Limit.few { page.frames.append(source) }
      // The contents of an <iframe> are for browsers without frames.
      inner.append((tag, .nothing))
    case .form: enterForm(element)
    case .input: readField(element, type: (element["type"] ?? "text").lowercased())
    case .textarea: readField(element, type: "textarea")
    case .select: readField(element, type: "select")
    case .button:
      readButton(element)
      buttonOwner = .some(owner(of: element))
    case .fieldset where disabledDepth == nil && element.has("disabled"): disabledDepth = depth - 1
    case .img: element.withValue(of: "alt") { page.content.append($0, in: region) }
    case .body:
      if let load = element["onload"] { page.onload = Array(load.utf8) }
    default: break
    }
    if tag != .script, let press = element["onclick"], page.handlers.count < Page.Limit.few {
      page.handlers.append(Array(press.utf8))
    }
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {
    switch inner.last?.use {
    case .script:
      if !page.scripts.isEmpty { page.scripts[page.scripts.count - 1].append(copying: bytes) }
    case .title:
      if page.title.count < Page.Limit.title { page.title.append(word: bytes) }
      page.content.append(bytes, in: region)
    case .nothing: break
    case nil:
      page.content.append(bytes, in: region)
      if let openLink, page.links[openLink].text.count < Page.Limit.linkText {
        page.links[openLink].text.append(word: bytes)
      }
      if let buttonOwner { page[formAt: buttonOwner].add(buttonText: bytes) }
    }
  }

  mutating func leave(_ tag: HTMLTag) {
    depth -= 1
    if disabledDepth == depth { disabledDepth = nil }
    if let last = outer.last, last.depth == depth {
      region = last.region
      outer.removeLast()
    }
    if inner.last?.tag == tag { inner.removeLast() }
    switch tag {
    // Between the rows of a table, the parser ends a form where it begins, but it still owns the following
    // fields (HTML standard §13.2.6.4.9, "A start tag whose tag name is form").
    case .form: isInForm = isFormEmpty
    case .a, .area: openLink = nil
    case .button: buttonOwner = nil
    default: break
    }
  }
}

extension PageReader {
  private mutating func enterScript(_ element: borrowing HTMLElement) {
    let isCode = Self.isCode(element["type"] ?? "")
    if let source = element["src"], !source.contains("//") { page.ownScripts += 1 }
    if isCode, page.scripts.count < Page.Limit.scripts {
      page.scripts.append([])
      inner.append((.script, .script))
    } else {
      inner.append((.script, .nothing))
    }
  }

  /// Whether a script of this type is executed (HTML standard §4.12.1.1) rather than data.
  private static func isCode(_ type: String) -> Bool {
    let type = type.lowercased()
    return type.isEmpty || type == "module" || type.contains("javascript") || type.contains("ecmascript")
  }

  private mutating func readMeta(_ element: borrowing HTMLElement) {
    if element["property"] == "og:locale" { declare(language: element["content"]) }
    guard let name = element["http-equiv"]?.lowercased() else { return }
    let content = element["content"] ?? ""
    switch name {
    case "content-language": declare(language: content)
    case "refresh":
      guard page.refreshes.count < Page.Limit.few, let refresh = MetaRefresh(content) else { return }
      page.refreshes.append(Page.Refresh(seconds: refresh.seconds, reference: refresh.url))
    case "cache-control", "pragma":
      let value = content.utf8.map(\.asciiLowercased)
      if value.contains(bytes: "no-cache".utf8) || value.contains(bytes: "no-store".utf8) {
        page.forbidsCaching = true
      }
    default: break
    }
  }

  private mutating func declare(language: String?) {
    guard let language, page.declaredLanguages.count < Page.Limit.languages else { return }
    page.declaredLanguages.append(String(language.prefix(Page.Limit.field)))
  }

  private mutating func enterLink(_ element: borrowing HTMLElement) {
    openLink = nil
    // Bounded, because only usable links are needed.
    guard let href = element["href"], page.links.count < Page.Limit.links,
      href.utf8.count <= Page.Limit.reference
    else { return }
    openLink = page.links.count
    page.links.append(Page.Link(href: href, region: region))
  }

  private mutating func enterForm(_ element: borrowing HTMLElement) {
    isInForm = page.forms.count < Page.Limit.few
    guard isInForm else { return }
    isFormEmpty = true
    if let id = element["id"], namedForms[id] == nil { namedForms[id] = page.forms.count }
    page.forms.append(PageForm(action: element["action"], region: region))
  }

  private mutating func readField(_ element: borrowing HTMLElement, type: String) {
    switch type {
    case "submit", "image", "button": return readButton(element)
    case "reset": return
    case "hidden": break
    // A disabled field requests nothing.
    case _ where disabledDepth != nil || element.has("disabled"): return
    default: element.withValue(of: "placeholder") { page.content.append($0, in: region) }
    }
    let words = [element["name"], element["id"], element["placeholder"], element["aria-label"]]
      .compactMap { $0.map { String($0.prefix(Page.Limit.field)) } }.joined(separator: " ")
    // A field with choices is not one of them.
    let fieldRegion = region == .options ? outer.last?.region ?? .message : region
    let owner = owner(of: element)
    if page[formAt: owner].fields.count < Page.Limit.fields {
      page[formAt: owner].fields.append(PageForm.Field(type: type, words: words, region: fieldRegion))
    }
  }

  private mutating func readButton(_ element: borrowing HTMLElement) {
    let owner = owner(of: element)
    element.withValue(of: "value") { value in
      page.content.append(value, in: region)
      page[formAt: owner].add(buttonText: value)
    }
    page[formAt: owner].hasButton = true
    // A button of the type button or reset submits nothing.
    let submits = !["button", "reset"].contains((element["type"] ?? "").lowercased())
    if submits, buttonActions < Page.Limit.few, let action = element["formaction"] {
      page[formAt: owner].buttonActions.append(action)
      buttonActions += 1
    }
  }

  /// The form that a field or a button belongs to: the one that it names, or the open one; nil for none.
  ///
  /// HTML standard §4.10.18.3, `form`; a form that follows its fields is not found.
  private func owner(of element: borrowing HTMLElement) -> Int? {
    if let name = element["form"] { return namedForms[name] }
    return isInForm && !page.forms.isEmpty ? page.forms.count - 1 : nil
  }

  private mutating func readElement(_ element: borrowing HTMLElement) {
    guard page.elements.count < Page.Limit.elements else { return }
    // Forms have numbers, and the base and the body are found without a name.
    let tag = element.tag
    guard tag == .form || !element.isBare && PageElement.hasContent(element),
      tag == .form || tag == .base || tag == .body || element.has("id") || element.has("name")
    else { return }
    let attributes = element.attributes.filter {
      PageElement.keeps($0.name) && $0.value.utf8.count <= Page.Limit.attribute
    }
    page.elements.append(
      PageElement(
        tag: element.name, attributes: Dictionary(attributes, uniquingKeysWith: { first, _ in first })))
  }

  private mutating func readNames(of element: borrowing HTMLElement) {
    // The parser repeats elements that are not closed, with all their names.
    guard page.identifiers.count < Page.Limit.identifiers else { return }
    element.withValue(of: "id") { page.identifiers.append(word: $0) }
    element.withValue(of: "class") { page.identifiers.append(word: $0) }
    element.withValue(of: "name") { page.identifiers.append(word: $0) }
  }
}

extension Page {
  /// A form, or the fields outside any form.
  fileprivate subscript(formAt index: Int?) -> PageForm {
    _read {
      if let index { yield forms[index] } else { yield loose }
    }
    _modify {
      if let index { yield &forms[index] } else { yield &loose }
    }
  }
}

extension PageForm {
  fileprivate mutating func add(buttonText bytes: borrowing Span<UInt8>) {
    let rest = Page.Limit.linkText - buttonText.count
    if rest > 0 { buttonText.append(word: bytes.extracting(first: min(rest, bytes.count))) }
  }
}
