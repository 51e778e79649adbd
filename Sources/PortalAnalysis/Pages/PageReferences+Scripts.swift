package import ProbeCore

extension PageReferences {
  /// The URLs of other hosts that the scripts in a page request, without a navigation: by `fetch`, `XMLHttpRequest`, a
  /// socket, or the source of an image, a script or a frame.
  ///
  /// The scripts are read and not run, and scripts in other files are not read.
  ///
  /// - Parameter response: The page.
  /// - Returns: The URLs, in the order in which they are found; those of sockets with http or https in place of ws or wss.
  package static func requestsOfScripts(inPage response: ProbeResponse) -> [ProbeURL] {
    let (text, _) = UndeclaredText.text(of: response)
    guard let page = Page(text.span), !page.scripts.isEmpty || page.onload != nil || !page.handlers.isEmpty
    else {
      return []
    }
    let findings = ScriptFindings(page, at: response.url, findingRequests: true)
    let frames = findings.redirects.filter { $0.manner == .frame }.map(\.reference)
    var urls: [ProbeURL] = []
    for reference in findings.requests + frames {
      let reference =
        reference.hasPrefix("ws:") || reference.hasPrefix("wss:")
        ? "http" + reference.dropFirst(2) : reference
      guard let url = response.url.resolve(reference), url.isWebPage, url.host != response.url.host,
        !urls.contains(url)
      else { continue }
      urls.append(url)
    }
    return urls
  }
}
