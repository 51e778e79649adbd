import ProbeCore

/// The output of `curl -i` for one URL: a response, and with `-L` the preceding heads of redirects.
struct CurlOutput {
  private let bytes: [UInt8]
  private let url: ProbeURL

  init(_ bytes: [UInt8], of url: ProbeURL) {
    self.bytes = bytes
    self.url = url
  }

  /// The exchanges, in the order in which they were made.
  ///
  /// - Throws: ``InvalidInput`` if it is not such output.
  func exchanges(_ losses: inout ImportLosses) throws(InvalidInput) -> [RecordedExchange] {
    guard !bytes.isEmpty else {
      throw InvalidInput("it is empty, because curl received no response", remedy: "remove it")
    }
    guard let first = RecordedResponse(bytes[...]) else {
      throw InvalidInput(
        "it begins with \(Excerpt(bytes.prefix { $0 != 0x0A }, limit: 30)), not with a status line",
        remedy: "save the output of curl -i, with the header")
    }
    var exchanges: [RecordedExchange] = []
    var (url, response) = (self.url, first)
    var steps = 0
    while let next = RecordedResponse(response.body[...]),
      let step = Self.step(behind: response, to: next, at: url)
    {
      steps += 1
      guard steps <= 100 else { throw InvalidInput("it has more than 100 responses before the last one") }
      if let target = step.target {
        response.body = []
        if response.head.value(of: "content-length") != "0" { losses.add(.redirectBody, of: url) }
        response.head.setLength(0, without: ["transfer-encoding", "content-encoding"])
        exchanges.append(Self.exchange(response, at: url, &losses))
        url = target
      } else {
        losses.add(step.loss, of: url)
      }
      response = next
    }
    return exchanges + [Self.exchange(response, at: url, &losses)]
  }

  /// How a head that appears instead of a body relates to the preceding response.
  private struct Step {
    /// The redirect target, or nil if the same URL was requested again.
    var target: ProbeURL?
    /// The loss in that case.
    var loss = ImportLoss.tries
  }

  /// - Returns: nil if what looks like a head is a body; some servers send one there.
  private static func step(behind response: RecordedResponse, to next: RecordedResponse, at url: ProbeURL)
    -> Step?
  {
    switch response.head.status {
    case 301, 302, 303, 307, 308:
      guard let target = RedirectHop(of: HTTPResponseHead(wireBytes: response.head.bytes), from: url)?.target,
        target.scheme == .http || target.scheme == .https
      else { return nil }
      return Step(target: target)
    case 401, 407: return Step()
    // A proxy's response to CONNECT has no field about content.
    case 200 where response.head.fields.allSatisfy({ !$0.name.hasPrefix("content-") }) && response.isTunnel:
      return Step(loss: .tunnel)
    default: return nil
    }
  }

  private static func exchange(
    _ recorded: RecordedResponse, at url: ProbeURL, _ losses: inout ImportLosses
  ) -> RecordedExchange {
    var response = recorded
    for loss in response.fixUndoneCodings(to: "GET") { losses.add(loss, of: url) }
    for loss in response.useHTTP1(to: "GET") { losses.add(loss, of: url) }
    return RecordedExchange(
      url: url, wire: WireRecord(received: response.bytes, ending: response.ending(to: "GET")))
  }
}

extension RecordedResponse {
  /// Whether it is a proxy's response that a tunnel is established, by the phrase that proxies use.
  fileprivate var isTunnel: Bool {
    String(decoding: head.statusLine, as: UTF8.self).lowercased().contains("connection established")
  }
}
