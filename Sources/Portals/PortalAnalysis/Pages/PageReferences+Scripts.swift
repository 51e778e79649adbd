package import ProbeCore
import PortalScripts

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
