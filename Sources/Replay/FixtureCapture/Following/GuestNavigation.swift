package import PortalAnalysis
package import ProbeCore

/// The requests of a guest's browser for a portal's login page, apart from those that a person causes.
///
/// It requests the files and frames of the page from the page's own server. It follows no link and sends no form: a
/// portal may log a client in for either. It is pure: it is given the responses, and returns what to request next.
package struct GuestNavigation: Sendable {
  /// The maximum number of files to request, redirects included.
  static let maximumFiles = 64
  /// The maximum number of pages besides the login page: frames, and targets of a refresh.
  static let maximumPages = 8
  static let maximumFileBytes = 2 << 20
  /// The number of bytes after which no further file is requested.
  package static let maximumBytes = 16 << 20
  /// The maximum number of references to examine.
  private static let maximumReferences = 4096
  /// The number of files requested at a time, as in browsers.
  package static let together = 6
  /// The maximum number of forms, and of other servers to name.
  private static let few = 8

  /// The forms of all pages, which are not sent.
  package private(set) var forms: [PageReferences.Form] = []

  private let page: ProbeURL
  private var pending: [PageReferences.Reference] = []
  private var seen: Set<String>
  private var files = 0
  private var pages = 0
  private var bytes = 0
  /// The number of files that exceed the limits.
  private var left = 0
  /// The other servers, in the order of the pages; `counts` has the number of files of each.
  private var others: [String] = []
  private var counts: [String: Int] = [:]

  /// Begins at a login page.
  ///
  /// - Parameter response: The page; its URL is the one after all redirects.
  package init(at response: ProbeResponse) {
    page = response.url
    seen = [Self.key(of: response.url)]
    read(response, .page)
  }

  /// The next requests, which may be made at the same time; empty at the end of the navigation.
  package mutating func next() -> [PageReferences.Reference] {
    if bytes >= Self.maximumBytes {
      left += pending.count
      pending = []
    }
    let batch = Array(pending.prefix(Self.together))
    pending.removeFirst(batch.count)
    return batch
  }

  /// Reads the response to one of the requests.
  package mutating func received(_ response: ProbeResponse, to reference: PageReferences.Reference) {
    bytes += response.body.count
    guard response.head?.isRedirect == true else { return read(response, reference.kind) }
    if let target = response.redirects.last?.target {
      add(PageReferences.Reference(target, reference.kind))
    }
  }

  /// The omissions of the navigation, one sentence each.
  package var losses: [String] {
    var losses = forms.map { form in
      "the form \(form.method) \(form.target) was not sent: the replay responds with status 501"
    }
    for server in others.prefix(Self.few) {
      losses.append(Self.unrequested(counts[server, default: 0], "of \(server)") + ": it is another server")
    }
    if others.count > Self.few {
      losses.append("the files of \(others.count - Self.few) further servers were not requested")
    }
    if left > 0 { losses.append(Self.unrequested(left, "beyond the limits")) }
    return losses
  }

  private static func unrequested(_ count: Int, _ which: String) -> String {
    count == 1 ? "1 file \(which) was not requested" : "\(count) files \(which) were not requested"
  }
}

extension GuestNavigation {
  private mutating func read(_ response: ProbeResponse, _ kind: PageReferences.Kind) {
    switch kind {
    case .page, .frame:
      let found = PageReferences(ofPage: response)
      for reference in found.references { add(reference) }
      for form in found.forms where forms.count < Self.few && !forms.contains(form) { forms.append(form) }
    case .sheet: for reference in PageReferences(ofSheet: response).references { add(reference) }
    case .file: break
    }
  }

  private mutating func add(_ reference: PageReferences.Reference) {
    guard seen.count < Self.maximumReferences else { return left += 1 }
    guard seen.insert(Self.key(of: reference.url)).inserted else { return }
    guard isOnServer(reference.url) else {
      let server = Self.server(of: reference.url)
      if counts.updateValue(counts[server, default: 0] + 1, forKey: server) == nil { others.append(server) }
      return
    }
    if reference.kind == .page || reference.kind == .frame {
      guard pages < Self.maximumPages else { return left += 1 }
      pages += 1
    } else {
      guard files < Self.maximumFiles else { return left += 1 }
      files += 1
    }
    pending.append(reference)
  }

  /// Whether a URL is on the server of the login page: the same host, and the same port or the default ports of http
  /// and https.
  ///
  /// Like a browser, a page over https loads nothing over http.
  private func isOnServer(_ url: ProbeURL) -> Bool {
    guard url.host == page.host, url.scheme == .https || page.scheme == .http else { return false }
    return url.hasSameOrigin(as: page)
      || url.port == url.scheme.defaultPort && page.port == page.scheme.defaultPort
  }

  /// What distinguishes requests: everything but the fragment.
  private static func key(of url: ProbeURL) -> String { server(of: url) + url.requestTarget }

  private static func server(of url: ProbeURL) -> String {
    let port = url.port == url.scheme.defaultPort ? "" : url.port.map { ":\($0)" } ?? ""
    return "\(url.scheme)://\(url.host.bracketedHost)\(port)"
  }
}
