internal import CProbeCurl
internal import CProbeShims
internal import ProbeLocking
internal import ProbeOpenSSL
internal import ProbeCore
internal import ProbeSockets
internal import ProbeThreading

/// One transfer on its way through the loop: its handle, what came in, and who waits for it.
///
/// Set up by the caller's thread, then touched by the loop's thread alone.
final class Transfer {
  enum State {
    /// The message to start it is still to come; until then its waiter is the caller's to set.
    case new
    case cancelledEarly
    /// Since this turn of the loop.
    case running(since: Int)
    case ended
  }

  let easy: EasyHandle
  /// Where the handle goes in the end.
  private let pool: EasyHandlePool?
  private(set) var answer: ReceivedAnswer
  private let observer: HandshakeObserver?
  private let trust: TrustStore?
  private let identity: Identity?
  /// Whether the proxy is spoken to inside TLS, so that the first handshake is with it.
  private let proxyIsEncrypted: Bool
  /// Whether the server is.
  private let isEncrypted: Bool
  private var handshakes = 0
  private var waiter: CheckedContinuation<TransferResult, Never>?
  private let fence = MemoryFence()
  /// When the loop took it up.
  private var began = ContinuousClock.now
  /// How long it may take, and how long until its connection stands, if less.
  private let timeout: Duration
  private var connectTimeout: Duration?
  private var handshakeBegan: ContinuousClock.Instant?
  /// How much of an answer to CONNECT is read: an answer has a head, and a refusal perhaps a page.
  private static let mostOfTunnelAnswer = 64 * 1024
  private var tunnelSteps = 0
  private var tunnelAnswerIsTooLong = false
  /// Where it stands, as the loop sees it.
  var state = State.new
  /// Rings when its time is over, and some more.
  var alarm: LoopAlarm?

  /// An HTTP exchange.
  init(easy: EasyHandle, from pool: EasyHandlePool, options: TransferOptions, http: TransferOptions.HTTP) {
    self.easy = easy
    self.pool = pool
    answer = ReceivedAnswer(maxHead: http.maxHead, maxBody: http.maxBody)
    trust = options.trust
    identity = options.identity
    proxyIsEncrypted = options.proxy?.kind == .https
    isEncrypted = options.url.hasPrefix("https:")
    observer = options.trust.map { _ in HandshakeObserver() }
    (timeout, connectTimeout) = (options.timeout, options.connectTimeout)
    easy.setCommon(options)
    unsafe easy.setUser(Unmanaged.passUnretained(self).toOpaque())
    if options.proxy != nil { limitTunnelAnswer() }
    setHTTP(http)
  }

  /// The next of its time limits; none is longer than libcurl's may be.
  var nextLimit: ContinuousClock.Instant {
    began + min(connectTimeout ?? timeout, timeout, .seconds(1_000_000))
  }

  /// Forgets the limit for connecting when the connection stands.
  func forgetConnectLimitOnceMet() {
    if connectTimeout != nil, time(CURLINFO_PRETRANSFER_TIME_T) > 0 { connectTimeout = nil }
  }

  func setWaiter(_ waiter: CheckedContinuation<TransferResult, Never>) {
    self.waiter = waiter
  }

  /// Lets the next transfer have the handle.
  func giveBackHandle() {
    pool?.give(easy)
  }

  /// Notes that the loop has taken it up, to start with its next turn.
  func begin(turn: Int) {
    state = .running(since: turn)
    began = .now
  }

  /// Hands the result to whoever waits, once.
  ///
  /// - Parameters:
  ///   - code: How it ended.
  ///   - ended: When the loop ended it, or nil when libcurl did.
  func finish(_ code: CURLcode, ended: ContinuousClock.Instant? = nil) {
    guard let waiter else { return }
    self.waiter = nil
    resume(waiter, result(code, ended: ended))
  }

  /// Hands over that it has ended before libcurl did anything for it: what the handle tells is of an earlier transfer.
  func finishUnstarted(_ code: CurlCode) {
    guard let waiter else { return }
    self.waiter = nil
    resume(waiter, code == .outOfMemory ? .cannotStart : .unstarted(code, message: ""))
  }

  private func resume(_ waiter: CheckedContinuation<TransferResult, Never>, _ result: TransferResult) {
    fence.release()
    waiter.resume(returning: result)
  }

  /// Takes the result over from the loop's thread; called by who has waited for it.
  func takeOver() {
    fence.acquire()
  }
}

// Safe because of the hand-over: the caller's thread lets go before the loop's thread takes it, with the mailbox's
// lock between the two.
extension Transfer: @unchecked Sendable {}

extension Transfer {
  private func setHTTP(_ http: TransferOptions.HTTP) {
    if http.contentCodings != EasyHandle.usualContentCodings {
      easy.set(CURLOPT_ACCEPT_ENCODING, http.contentCodings)
    }
    switch http.version {
    case .v1_0: easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_0)
    case .v1_1: easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    case .v2: easy.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    default: break
    }
    var headers = http.headers
    switch (http.method, http.body) {
    case ("GET", nil): break
    case ("HEAD", nil): easy.set(CURLOPT_NOBODY, true)
    case (let method, let body):
      if body != nil || method == "POST" {
        easy.setContent(body ?? [])
        // libcurl would claim form data, and would wait for a 100 that hostile servers never send.
        if !headers.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
          headers.append("Content-Type:")
        }
        if !headers.contains(where: { $0.lowercased().hasPrefix("expect:") }) { headers.append("Expect:") }
      }
      if method != "POST" { easy.set(CURLOPT_CUSTOMREQUEST, method) }
    }
    easy.setHeaders(headers)
  }

  /// Has the handle pass what it receives to the transfer that is its user at that time.
  static func setReceivers(of easy: EasyHandle) {
    _ = unsafe probe_curl_set_receiver(easy.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
      guard let user = unsafe user else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      transfer.easy.hasReceivedHead = true
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.answer.receiveHeader(line) ? size * count : 0
    }
    _ = unsafe probe_curl_set_receiver(easy.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
      guard let user = unsafe user else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.answer.receiveBody(piece) ? size * count : 0
    }
    _ = unsafe probe_curl_set_tls_setup(easy.pointer) { _, context, user in
      guard let context = unsafe context, let user = unsafe user else { return CURLE_SSL_CONNECT_ERROR }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      guard let observer = transfer.observer, let trust = transfer.trust else {
        return CURLE_SSL_CONNECT_ERROR
      }
      transfer.handshakeBegan = .now
      transfer.handshakes += 1
      // What comes inside of the proxy's TLS may wait there, where no look at the socket shows it.
      let readsFromSocket = !transfer.proxyIsEncrypted || transfer.isWithProxy
      unsafe observer.install(onContext: context, trust: trust, takesTurns: readsFromSocket)
      // The certificate is for the server, not for the proxy on the way to it.
      guard !transfer.isWithProxy, let identity = transfer.identity else { return CURLE_OK }
      return unsafe identity.install(onContext: context) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }
  }
}

extension Transfer {
  /// Ends the transfer when its proxy answers the request for a tunnel (CONNECT, RFC 9110 §9.3.6) without end.
  ///
  /// libcurl takes all there is of that answer in one go, byte by byte, and asks after each whether to go on. Meanwhile
  /// nothing else is done on the thread.
  private func limitTunnelAnswer() {
    unsafe probe_curl_follow(
      easy.pointer,
      { user, _, _, _, _ in
        guard let user = unsafe user else { return 0 }
        return unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().mayGoOn ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var mayGoOn: Bool {
    // Once the request is sent, the tunnel stands or none is needed.
    guard time(CURLINFO_PRETRANSFER_TIME_T) == 0 else { return true }
    tunnelSteps += 1
    tunnelAnswerIsTooLong = tunnelSteps > Self.mostOfTunnelAnswer
    return !tunnelAnswerIsTooLong
  }
}

extension Transfer {
  /// Whether the peer has said that it has sent all, where it can: inside TLS.
  var hasCloseNotify: Bool { observer?.hasCloseNotify ?? true }

  /// Whether the latest TLS handshake was the one with the proxy.
  private var isWithProxy: Bool { proxyIsEncrypted && handshakes == 1 }

  private func result(_ outcome: CURLcode, ended: ContinuousClock.Instant?) -> TransferResult {
    let (code, systemError) = ending(outcome)
    var moments = TransferResult.Moments()
    moments.resolved = time(CURLINFO_NAMELOOKUP_TIME_T)
    moments.connected = connected
    moments.secured = time(CURLINFO_APPCONNECT_TIME_T)
    moments.requested = time(CURLINFO_PRETRANSFER_TIME_T)
    moments.answered = time(CURLINFO_STARTTRANSFER_TIME_T)
    // libcurl does not update its total time when the loop ends a transfer.
    moments.finished = max(time(CURLINFO_TOTAL_TIME_T), microseconds(until: ended))
    let verification = observer?.verification
    let remote = remote
    return TransferResult(
      code: CurlCode(rawValue: code.rawValue),
      message: code == CURLE_OK ? "" : failureMessage(code),
      systemError: systemError,
      phase: phase(moments),
      moments: moments,
      remote: remote,
      tried: remote == nil ? easy.tried : nil,
      hasRefusedAddress: easy.hasRefusedAddress,
      answer: answer,
      retryAfter: seconds(CURLINFO_RETRY_AFTER),
      handshake: isWithProxy ? nil : verification,
      hasCloseNotify: hasCloseNotify,
      proxy: proxy(verification)
    )
  }

  /// The peer's end of the connection.
  private var remote: SocketAddress? {
    guard let text = unsafe probe_curl_get_string(easy.pointer, CURLINFO_PRIMARY_IP),
      let address = unsafe IPAddress(String(cString: text))
    else { return nil }
    let port = unsafe probe_curl_get_long(easy.pointer, CURLINFO_PRIMARY_PORT)
    return SocketAddress(address, port: UInt16(truncatingIfNeeded: port))
  }

  private func proxy(_ verification: Verification?) -> TransferResult.Proxy {
    TransferResult.Proxy(
      tunnelStatus: unsafe probe_curl_get_long(easy.pointer, CURLINFO_HTTP_CONNECTCODE),
      error: unsafe UInt32(truncatingIfNeeded: probe_curl_get_long(easy.pointer, CURLINFO_PROXY_ERROR)),
      answerIsTooLong: tunnelAnswerIsTooLong, endedInHandshake: isWithProxy,
      handshake: isWithProxy ? verification : nil)
  }

  /// The outcome, and the system's error behind it.
  private func ending(_ code: CURLcode) -> (CURLcode, Int32) {
    switch code {
    case CURLE_OK: return (code, 0)
    case CURLE_ABORTED_BY_CALLBACK where tunnelAnswerIsTooLong:
      return (CURLcode(rawValue: CurlCode.tooLarge.rawValue), 0)
    case CURLE_COULDNT_CONNECT where easy.wasToAskAgain: return (CURLE_HTTP2_STREAM, 0)
    // libcurl does not tell whether the resolver could work at all.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return (code, descriptorShortage())
    default: return (code, easy.systemError)
    }
  }

  /// libcurl 7.88 knows of no connection when the TLS handshake on it fails; then the start of the handshake tells.
  private var connected: Int64 {
    let connected = time(CURLINFO_CONNECT_TIME_T)
    guard connected == 0, handshakeBegan != nil else { return connected }
    return max(1, microseconds(until: handshakeBegan))
  }

  /// The time from the start to a moment; 0 for none.
  private func microseconds(until moment: ContinuousClock.Instant?) -> Int64 {
    guard let moment else { return 0 }
    let (seconds, attoseconds) = began.duration(to: moment).components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }

  /// A number of seconds, or nil for none.
  private func seconds(_ info: CURLINFO) -> Int64? {
    let seconds = time(info)
    return seconds > 0 ? seconds : nil
  }

  private func time(_ info: CURLINFO) -> Int64 {
    unsafe Int64(probe_curl_get_time(easy.pointer, info))
  }

  private func failureMessage(_ code: CURLcode) -> String {
    if easy.wasToAskAgain { return "the server refused the stream of the request" }
    let message = easy.errorMessage
    guard message.isEmpty else { return message }
    return unsafe String(cString: curl_easy_strerror(code))
  }

  private func phase(_ moments: TransferResult.Moments) -> TransferResult.Phase {
    if moments.resolved == 0 { return .resolve }
    if moments.connected == 0 { return .connect }
    if isEncrypted, moments.secured == 0 { return .tls }
    return answer.headIsComplete && !answer.headIsInterim ? .body : .response
  }
}
