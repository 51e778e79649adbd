package import PortalAnalysis
package import ProbeCore
import ProbePipeline

/// Requests a portal's login page and the files that belong to it, as a guest's browser does.
///
/// Cookies go to the hosts that set them. The files come from the address of the page, whatever its name resolves to
/// later.
package struct LoginVisit: Sendable {
  /// The requested files, the forms, and the omissions.
  package struct Findings: Sendable {
    /// The URLs of the files, in the order of the pages.
    package var files: [ProbeURL] = []
    /// The forms, which were not sent.
    package var forms: [PageReferences.Form] = []
    /// The omissions, one sentence each.
    package var losses: [String] = []

    /// Creates findings without requests.
    package init(losses: [String] = []) { self.losses = losses }
  }

  private let prober: Prober
  /// A request with the options of the user, for any URL.
  private let template: ProbeRequest

  /// Creates a visit.
  ///
  /// - Parameters:
  ///   - prober: Sends the requests.
  ///   - template: The request for the login page, whose options the other requests share.
  package init(_ prober: Prober, _ template: ProbeRequest) {
    self.prober = prober
    self.template = template
  }

  /// Requests the page and all its files.
  package func findings() async -> Findings {
    var request = template
    let cookies = SessionCookies()
    request.cookies = cookies
    let page: ProbeResponse
    do {
      page = try await prober.probe(request)
    } catch {
      // A browser displays the received part of a page.
      guard let part = error.partial, !part.body.isEmpty, part.head?.isRedirect == false else {
        return Findings(losses: ["the files of the login page were not requested: \(error.detail)"])
      }
      page = part
    }
    var findings = Findings()
    var navigation = GuestNavigation(at: page)
    while !Task.isCancelled {
      let batch = navigation.next()
      guard !batch.isEmpty else { break }
      let requests = batch.map { self.request($0.url, of: page, cookies) }
      for (reference, response) in zip(batch, await responses(to: requests)) {
        findings.files.append(reference.url)
        if let response { navigation.received(response, to: reference) }
      }
    }
    findings.forms = navigation.forms
    findings.losses = navigation.losses
    return findings
  }

  /// The responses in order; nil for one that failed, which is recorded all the same.
  private func responses(to requests: [ProbeRequest]) async -> [ProbeResponse?] {
    await withTaskGroup(of: (Int, ProbeResponse?).self) { group in
      for (index, request) in requests.enumerated() {
        group.addTask { [prober] in (index, try? await prober.probe(request)) }
      }
      var responses = [ProbeResponse?](repeating: nil, count: requests.count)
      for await (index, response) in group { responses[index] = response }
      return responses
    }
  }

  private func request(_ url: ProbeURL, of page: ProbeResponse, _ cookies: SessionCookies) -> ProbeRequest {
    var request = template
    request.url = url
    request.redirects = 0
    request.maxBody = GuestNavigation.maximumFileBytes
    request.cookies = cookies
    if url.address == nil, let address = page.remoteAddress?.address, address.reach == .network,
      !request.connectTo.contains(where: { $0.applies(to: url) })
    {
      request.connectTo.append(
        ConnectTo(host: url.host, port: nil, targetHost: address.description, targetPort: nil))
    }
    return request
  }
}
