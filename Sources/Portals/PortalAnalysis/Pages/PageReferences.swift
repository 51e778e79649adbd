internal import PortalScripts
internal import ProbeText
package import ProbeCore

/// The URLs that a browser requests for a page: its files, the pages in it, and the targets of its forms.
///
/// Links are not included, because nothing requests them without a click. Scripts are not run, so the
/// resources that they load are not known. Everything is bounded.
package struct PageReferences: Sendable {
  /// The purpose of a reference.
  package enum Kind: Hashable, Sendable {
    /// The page that a refresh opens.
    case page
    /// A page in a frame.
    case frame
    /// A style sheet, which has its own references.
    case sheet
    /// A script, an image, a font or another file.
    case file
  }

  /// A URL that a browser requests.
  package struct Reference: Hashable, Sendable {
    package let url: ProbeURL
    package let kind: Kind

    package init(_ url: ProbeURL, _ kind: Kind) {
      self.url = url
      self.kind = kind
    }
  }

  /// A form, as it would be sent.
  package struct Form: Hashable, Sendable {
    /// The URL of the request; that of a GET has the fields as its query.
    package let target: ProbeURL
    /// GET or POST.
    package let method: String

    package init(_ method: String, _ target: ProbeURL) {
      self.target = target
      self.method = method
    }
  }

  /// The maximum number of references to keep.
  package static let limit = 512

  /// The references, in the order of the page.
  package private(set) var references: [Reference] = []
  /// The forms, in the order of the page.
  package private(set) var forms: [Form] = []

  /// Reads a page; the result is empty if the page exceeds the limits of the parser.
  ///
  /// - Parameters:
  ///   - response: The page.
  ///   - isInBrowser: Whether to read it as a browser does: with media files, which can be of any size, and without what is
  ///     for browsers that run no scripts.
  package init(ofPage response: ProbeResponse, inBrowser isInBrowser: Bool = false) {
    let (text, charset) = UndeclaredText.text(of: response)
    var reader = ReferenceReader(isInBrowser: isInBrowser)
    guard HTMLPage.visit(text.span, keepingStyles: true, with: &reader) else { return }
    let base = reader.base.flatMap { response.url.resolve($0) }.flatMap { $0.isWebPage ? $0 : nil }
    func resolve(_ reference: String) -> ProbeURL? {
      let base = base ?? response.url
      let url =
        charset.map { base.resolve(reference, encodingQuery: $0.encodedForQuery) } ?? base.resolve(reference)
      return url.flatMap { $0.isWebPage ? $0 : nil }
    }
    for found in reader.found.prefix(Self.limit) {
      if let url = resolve(found.text) { references.append(Reference(url, found.kind)) }
    }
    for form in reader.forms {
      let target = form.action.isEmpty ? response.url : resolve(form.action)
      if let target { forms.append(Form(form.method, target)) }
    }
    for value in response.head?.fields.references(in: "Refresh").prefix(1) ?? [] {
      if let url = MetaRefresh(value)?.url.flatMap(resolve) { references.append(Reference(url, .page)) }
    }
  }

  /// Reads a style sheet.
  package init(ofSheet response: ProbeResponse) {
    for found in StyleReferences(ResponseText(of: response).bytes).references {
      guard let url = response.url.resolve(found.text), url.isWebPage else { continue }
      references.append(Reference(url, found.isSheet ? .sheet : .file))
    }
  }
}

/// Collects the references of a page, as written.
private struct ReferenceReader: HTMLVisitor {
  private(set) var found: [(text: String, kind: PageReferences.Kind)] = []
  private(set) var forms: [(method: String, action: String)] = []
  private(set) var base: String?
  /// The text of the open style sheet.
  private var style: [UInt8]?
  private let isInBrowser: Bool
  /// The number of open elements whose content a browser does not load.
  private var inertDepth = 0

  init(isInBrowser: Bool) {
    self.isInBrowser = isInBrowser
  }

  private func isInert(_ tag: HTMLTag) -> Bool { tag == .template || isInBrowser && tag == .noscript }

  mutating func enter(_ element: borrowing HTMLElement) {
    if isInert(element.tag) { inertDepth += 1 }
    guard inertDepth == 0 else { return }
    if let style = element["style"] { addStyle(Array(style.utf8)[...]) }
    add(element["background"])
    switch element.tag {
    case .base: base = base ?? element["href"]
    case .link: readLink(element)
    case .script: add(element["src"])
    case .img, .source:
      if element.tag == .img || isInBrowser { add(element["src"]) }
      for text in Self.candidates(of: element["srcset"] ?? "") { add(text) }
    case .input where element["type"]?.lowercased() == "image": add(element["src"])
    case .video:
      add(element["poster"])
      if isInBrowser { add(element["src"]) }
    case .frame, .iframe: add(element["src"], .frame)
    case .meta where element["http-equiv"]?.lowercased() == "refresh":
      add(MetaRefresh(element["content"] ?? "")?.url, .page)
    case .style: style = []
    case .form: readForm(element)
    default:
      switch element.name {
      case "image": add(element["href"] ?? element["xlink:href"])
      case "audio", "track", "embed": if isInBrowser { add(element["src"]) }
      case "object": if isInBrowser { add(element["data"]) }
      default: break
      }
    }
  }

  mutating func text(_ bytes: borrowing Span<UInt8>) {
    guard style != nil else { return }
    unsafe bytes.withUnsafeBufferPointer { unsafe style?.append(contentsOf: $0) }
  }

  mutating func leave(_ tag: HTMLTag) {
    if isInert(tag) { inertDepth -= 1 }
    guard tag == .style, let style else { return }
    addStyle(style[...])
    self.style = nil
  }
}

extension ReferenceReader {
  private mutating func add(_ text: String?, _ kind: PageReferences.Kind = .file) {
    guard let text, found.count < PageReferences.limit, text.utf8.count <= Page.Limit.reference,
      let first = text.utf8.first(where: { $0 > 0x20 }), first != UInt8(ascii: "#")
    else { return }
    found.append((text, kind))
  }

  private mutating func addStyle(_ text: ArraySlice<UInt8>) {
    for reference in StyleReferences(text).references {
      add(reference.text, reference.isSheet ? .sheet : .file)
    }
  }

  /// The relations of a `<link>` whose file browsers load with the page (HTML standard §4.6.7).
  private static let loaded: Set<Substring> = [
    "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "manifest", "modulepreload",
    "preload",
  ]

  private mutating func readLink(_ element: borrowing HTMLElement) {
    let relations = (element["rel"] ?? "").lowercased().split { $0.isWhitespace }
    if relations.contains("stylesheet") {
      add(element["href"], .sheet)
    } else if relations.contains(where: Self.loaded.contains) {
      add(element["href"])
    }
    for text in Self.candidates(of: element["imagesrcset"] ?? "") { add(text) }
  }

  private mutating func readForm(_ element: borrowing HTMLElement) {
    guard forms.count < Page.Limit.few else { return }
    let method = (element["method"] ?? "").lowercased()
    // It closes a dialog, and sends nothing.
    guard method != "dialog" else { return }
    let action = element["action"] ?? ""
    let isEmpty = action.utf8.allSatisfy { $0 <= 0x20 }
    forms.append((method == "post" ? "POST" : "GET", isEmpty ? "" : action))
  }

  /// The URLs of a `srcset` attribute (HTML standard §4.8.4.2.1): each ends at white space, and a comma separates
  /// what follows.
  private static func candidates(of text: String) -> [String] {
    var candidates: [String] = []
    var rest = Substring(text)
    while candidates.count < Page.Limit.few {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      let url = rest.prefix { !$0.isWhitespace }
      guard !url.isEmpty else { break }
      rest = rest[url.endIndex...]
      if url.hasSuffix(",") {
        candidates.append(String(url.reversed().drop { $0 == "," }.reversed()))
      } else {
        candidates.append(String(url))
        rest = rest.drop { $0 != "," }
      }
    }
    return candidates
  }
}

extension PageReferences {
  /// A request of a script, without a navigation.
  package struct ScriptRequest: Hashable, Sendable {
    /// The URL, with http or https instead of ws or wss.
    package let url: ProbeURL
    /// Whether it opens a socket.
    package let isSocket: Bool
  }

  /// What the scripts in a page request from other hosts: by `fetch`, `XMLHttpRequest`, a socket, or the source of an
  /// image, a script or a frame.
  ///
  /// The scripts are read and not run, and scripts in other files are not read.
  ///
  /// - Parameter response: The page.
  /// - Returns: The requests, each URL once, in the order in which they are found.
  package static func requestsOfScripts(inPage response: ProbeResponse) -> [ScriptRequest] {
    let (text, _) = UndeclaredText.text(of: response)
    guard let page = Page(text.span), !page.scripts.isEmpty || page.onload != nil || !page.handlers.isEmpty
    else { return [] }
    let base =
      page.base.flatMap { response.url.resolve($0) }.flatMap { $0.isWebPage ? $0 : nil } ?? response.url
    let findings = ScriptFindings(page, at: response.url, findingRequests: true)
    let frames = findings.redirects.filter { $0.manner == .frame }.map(\.reference)
    var requests: [ScriptRequest] = []
    for reference in findings.requests + frames {
      let isSocket = reference.hasPrefix("ws:") || reference.hasPrefix("wss:")
      guard let url = base.resolve(isSocket ? "http" + reference.dropFirst(2) : reference), url.isWebPage,
        url.host != response.url.host, !requests.contains(where: { $0.url == url })
      else { continue }
      requests.append(ScriptRequest(url: url, isSocket: isSocket))
    }
    return requests
  }
}
