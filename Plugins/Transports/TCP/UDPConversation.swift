internal import ByteStreams
internal import Glibc
internal import ProbeCore
internal import ProbeSystem
import ProbeStreams

/// The state of a dialog over UDP: which datagrams to send, and which received ones are as expected; no I/O.
///
/// A step judges each datagram on its own. An expect step skips datagrams without its match, as over TCP it skips
/// the bytes before it: a response to a repeated datagram may arrive twice. Until an address has responded, the
/// addresses of the host take turns.
struct UDPConversation: DatagramConversation {
  /// The time until datagrams are sent again; it doubles with each repetition.
  static let firstWait = Duration.seconds(1)
  /// The maximum number of datagrams to read.
  static let maximumDatagrams = 100
  /// The maximum size of a datagram, that of an IPv4 packet without headers (RFC 791 §3.1).
  static let maximumSize = 65_507

  let script: DialogScript
  let request: ProbeRequest
  /// The response so far, with its data but without the facts of the exchange.
  private(set) var response: ProbeResponse
  /// The failed step, or nil.
  private(set) var failure: (reason: ReasonCode, detail: String)?
  /// The network's error that ended the exchange, or nil.
  private(set) var networkError: Int32?
  /// The network's error that ends the exchange unless what was received before meets the step.
  ///
  /// A service may respond and close its port, so that an error about a later datagram follows its response.
  private var pendingError: Int32?
  private var index = 0
  private var captures: [String: [UInt8]] = [:]
  private var rejects: [(step: Int, term: CompiledSearchTerm)] = []
  /// The last datagram in which the current step did not find what it expects.
  private var lastFound: ArraySlice<UInt8> = []
  /// The deadline of the current expect step; nil before it waits.
  private var deadline: Duration?
  /// The judgment of what is received after the steps.
  private var banner: Banner?

  private var addresses: [SocketAddress] = []
  private var errors: [Int32?] = []
  private var target = 0
  /// The address that has responded.
  private var peer: Int?
  /// The datagrams of the last send steps, which are repeated until there is a response.
  private var batch: [[UInt8]] = []
  private var isBatchComplete = true
  private var outbox: ArraySlice<[UInt8]> = []
  private var repeats = 0
  /// Whether a datagram was too long for a part of the path, and sent again: the system divides it then.
  private var isDivided = false
  private var lastSent = Duration.zero
  private var inbox: ArraySlice<[UInt8]> = []
  private var read = 0
  /// The number of datagrams received since the last send step.
  private var readSinceSend = 0

  init(_ script: DialogScript, for request: ProbeRequest) {
    (self.script, self.request) = (script, request)
    response = ProbeResponse(url: request.url)
  }

  mutating func begin(with addresses: [SocketAddress], at now: Duration) {
    self.addresses = addresses
    errors = Array(repeating: nil, count: addresses.count)
    response.setPeer(addresses.first, of: request)
  }

  mutating func received(_ bytes: [UInt8], hopLimit: Int? = nil, from address: Int, at now: Duration) {
    guard read < Self.maximumDatagrams, peer == nil || peer == address else { return }
    if peer == nil {
      peer = address
      target = address
      response.setPeer(addresses[address], of: request)
    }
    read += 1
    readSinceSend += 1
    if response.timings.firstByte == nil { response.timings.firstByte = now - lastSent }
    inbox.append(bytes)
  }

  mutating func failed(_ address: Int, _ error: Int32, wasSent: Bool, at now: Duration) {
    if let peer, peer != address { return }
    // All that was expected has been received.
    if index == script.actions.count, request.expectation == nil { return }
    if error == EMSGSIZE, wasSent, !isDivided {
      isDivided = true
      outbox = batch[...]
      return
    }
    errors[address] = error
    if peer == nil, let next = usableAddress(after: address) {
      if target == address {
        target = next
        outbox = batch[...]
      }
    } else {
      // A closed port explains more than an unreachable host.
      pendingError =
        peer != nil ? error : errors.compactMap(\.self).first { SystemError($0) == .refused } ?? error
    }
  }

  /// The next address without an error.
  private func usableAddress(after address: Int) -> Int? {
    (1...errors.count).lazy.map { (address + $0) % errors.count }.first { errors[$0] == nil }
  }
}

extension UDPConversation {
  mutating func next(at now: Duration) -> DatagramAction {
    while failure == nil, networkError == nil {
      if let bytes = outbox.popFirst() {
        lastSent = now
        return .send(bytes, to: target)
      }
      guard index < script.actions.count else { return listen(at: now) }
      switch script.actions[index] {
      case .reject(let term):
        rejects.append((index, term))
        index += 1
      case .send(let template): send(template)
      // The check of a request refuses it.
      case .startTLS: index += 1
      case .expect(let term, let timeout, let maxBytes):
        if let action = wait(for: term, timeout: timeout, maxBytes: maxBytes, at: now) { return action }
      }
    }
    return .finished
  }

  private mutating func send(_ template: SendTemplate) {
    guard let bytes = template.bytes(inserting: captures) else {
      return fail(.bodyMismatch, DialogScript.insertsTooMuch)
    }
    guard bytes.count <= Self.maximumSize else {
      return fail(.bodyMismatch, "\(bytes.count) bytes do not fit into a datagram")
    }
    // An error about earlier datagrams does not concern these, which have their own errors.
    if isBatchComplete { (batch, isBatchComplete, pendingError) = ([], false, nil) }
    batch.append(bytes)
    outbox.append(bytes)
    (repeats, isDivided, readSinceSend) = (0, false, 0)
    index += 1
  }

  /// Continues an expect step.
  ///
  /// - Returns: The next action, or nil if the step is done.
  private mutating func wait(
    for term: CompiledSearchTerm, timeout: Duration?, maxBytes: Int?, at now: Duration
  ) -> DatagramAction? {
    isBatchComplete = true
    let end = deadline ?? min(request.timeout, now + (timeout ?? request.timeout))
    deadline = end
    while let bytes = inbox.popFirst() {
      keep(bytes)
      let window = bytes.prefix(maxBytes ?? request.maxBody)
      if judge(window, term) { return nil }
      lastFound = window
    }
    if let pendingError {
      networkError = pendingError
      return nil
    }
    let found = DialogScript.found(lastFound, isFirst: read == 0)
    if read == Self.maximumDatagrams {
      fail(.bodyMismatch, "not in the first \(read) datagrams; \(found)")
      return nil
    }
    if now >= end {
      fail(
        .responseTimeout, "\(DialogScript.notReceived(within: timeout, of: request.timeout)); \(found)")
      return nil
    }
    return pause(until: end, at: now)
  }

  /// Judges a datagram.
  ///
  /// - Returns: Whether the current step is done, or has failed.
  private mutating func judge(_ window: ArraySlice<UInt8>, _ term: CompiledSearchTerm) -> Bool {
    var searches = rejects.map { StreamSearch($0.term) } + [StreamSearch(term)]
    for index in searches.indices { searches[index].look(at: window, isLast: true) }
    switch searches.decision {
    case .open: return false
    case .met(_, let groups): take(groups.mapValues { Array(window[$0]) }, of: term)
    case .rejected(let rank, let start):
      fail(.dialogRejected, step: rejects[rank].step, "the peer sent \(Excerpt(window[start...]))")
    case .limit(let rank):
      fail(
        .matchLimit, step: rank < rejects.count ? rejects[rank].step : nil,
        "the pattern exceeds its limits on these \(window.count) bytes")
    }
    return true
  }

  private mutating func take(_ groups: [String: [UInt8]], of term: CompiledSearchTerm) {
    for name in term.groupNames {
      captures[name] = groups[name]
      response.captures[name] = groups[name].map { String(wireBytes: $0) }
    }
    (lastFound, deadline) = ([], nil)
    index += 1
  }

  /// Waits until a time, or until the datagrams of the last send steps are to be sent again.
  private mutating func pause(until end: Duration?, at now: Duration) -> DatagramAction? {
    let again = lastSent + Self.firstWait * (1 << min(repeats, 16))
    guard now >= again, !batch.isEmpty else { return .wait(until: min(end ?? again, again)) }
    repeats += 1
    outbox = batch[...]
    if peer == nil, let next = usableAddress(after: target) { target = next }
    return nil
  }

  private mutating func fail(_ reason: ReasonCode, step: Int? = nil, _ detail: String) {
    failure = (reason, "\(script.name(of: step ?? index)): \(detail)")
  }
}

/// After the steps.
extension UDPConversation {
  /// Receives datagrams until a validator accepts the data.
  private mutating func listen(at now: Duration) -> DatagramAction {
    guard let expectation = request.expectation else { return .finished }
    isBatchComplete = true
    if read > 0 {
      var judged = banner ?? started(expectation)
      while judged.wantsMore, let bytes = inbox.popFirst() {
        // Nothing at all would be the end of a stream.
        if !bytes.isEmpty { judged.receive(bytes, at: now) }
      }
      banner = judged
      guard judged.wantsMore, read < Self.maximumDatagrams, pendingError == nil else {
        response = judged.response
        if judged.wantsMore { networkError = pendingError }
        return .finished
      }
    } else if let pendingError {
      networkError = pendingError
      return .finished
    }
    guard readSinceSend == 0 else { return .wait(until: nil) }
    if let action = pause(until: nil, at: now) { return action }
    guard let bytes = outbox.popFirst() else { return .wait(until: nil) }
    lastSent = now
    return .send(bytes, to: target)
  }

  private func started(_ expectation: any ResponseValidator) -> Banner {
    var banner = Banner(expectation, limit: request.maxBody, response: response)
    banner.lookAtStart(hasEnded: false)
    return banner
  }

  private mutating func keep(_ bytes: [UInt8]) {
    let kept = bytes.prefix(max(0, request.maxBody - response.body.count))
    response.body += kept
    if kept.count < bytes.count { response.bodyIsCut = true }
  }

  /// Handles the timeout of the probe: a step that waits has failed, and otherwise what was received is the
  /// response.
  mutating func timePassed() {
    guard failure == nil, networkError == nil else { return }
    if let banner { response = banner.response }
    if index < script.actions.count, case .expect(_, let timeout, _) = script.actions[index] {
      let found = DialogScript.found(lastFound, isFirst: read == 0)
      fail(.responseTimeout, "\(DialogScript.notReceived(within: timeout, of: request.timeout)); \(found)")
    } else if response.body.isEmpty {
      failure = (.responseTimeout, "nothing was received in time")
    }
  }
}
