internal import CProbeCurl
internal import Glibc
internal import ProbeBase
internal import ProbeTLS
internal import ProbeCore
internal import ProbeSystem

/// One transfer on a loop: its handle, the received data, and its waiter.
///
/// It is set up on the caller's thread, and then used on the loop's thread only.
final class Transfer {
  enum State {
    /// The message that starts it has not arrived; until then the caller sets its waiter.
    case new
    case cancelledEarly
    /// Running since this number of calls of libcurl.
    case running(since: Int)
    case ended
  }

  let easy: EasyHandle
  /// The pool to which the handle returns.
  private let pool: EasyHandlePool?
  private(set) var response: ReceivedResponse
  private let furtherReading: (any FurtherReading)?
  private let keeping: (any BodyKeeping)?
  private let makeResponse: (@Sendable (TransferResult) -> ProbeResponse)?
  /// The times when the body exceeded its limit, and the number of further bytes to receive.
  private var atLimit: (moments: TransferResult.Moments, room: Int)?
  private let observer: HandshakeObserver?
  private let trust: TrustStore?
  private let checks: TLSChecks
  /// The hosts that the certificates of the server and of the proxy must be for; nil without TLS.
  private let hosts: (server: CertificateHost?, proxy: CertificateHost?)
  private let identity: Identity?
  /// Whether the connection to the proxy uses TLS, so that the first handshake is with the proxy.
  private let proxyIsEncrypted: Bool
  /// Whether the connection to the server uses TLS.
  private let isEncrypted: Bool
  private var handshakes = 0
  private var waiter: CheckedContinuation<TransferResult, Never>?
  private let fence = MemoryFence()
  /// The time at which the loop started it.
  private var began = ContinuousClock.now
  /// Its timeout, and a shorter one for connecting, if any.
  private let timeout: Duration
  private var connectTimeout: Duration?
  private var handshakeBegan: ContinuousClock.Instant?
  /// The maximum length of a response to CONNECT: it has a head, and a refusal may have a page.
  private static let maximumTunnelResponse = 64 * 1024
  private var tunnelSteps = 0
  private var tunnelResponseIsTooLong = false
  /// The state, from the loop's perspective.
  var state = State.new
  /// The timer shortly after the timeout.
  var timer: LoopTimer?
  /// The loop's thread; set when it starts there.
  var loop: LoopRemote?

  /// An HTTP exchange.
  init(easy: EasyHandle, from pool: EasyHandlePool, options: TransferOptions, http: TransferOptions.HTTP) {
    self.easy = easy
    self.pool = pool
    keeping = http.bodyKeeping
    response = ReceivedResponse(
      maxHead: http.maxHead, maxBody: http.maxBody, keepsBody: keeping?.keepsBytes != false)
    furtherReading = http.furtherReading
    makeResponse = http.makeResponse
    trust = options.trust
    checks = options.checks
    hosts = options.certificateHosts
    identity = options.identity
    proxyIsEncrypted = options.proxy?.kind == .https
    isEncrypted = options.url.hasPrefix("https:")
    observer = options.trust.map { _ in HandshakeObserver() }
    (timeout, connectTimeout) = (options.timeout, options.connectTimeout)
    easy.setCommon(options, allowsHTTP09: http.allowsHTTP09)
    unsafe easy.setUser(Unmanaged.passUnretained(self).toOpaque())
    if options.proxy != nil { limitTunnelResponse() }
    setHTTP(http)
  }

  /// The next of its timeouts; none exceeds libcurl's maximum.
  var nextLimit: ContinuousClock.Instant {
    began + min(connectTimeout ?? timeout, timeout, .seconds(1_000_000))
  }

  /// Removes the timeout for connecting once the connection is established.
  func removeConnectTimeoutIfConnected() {
    if connectTimeout != nil, time(CURLINFO_PRETRANSFER_TIME_T) > 0 { connectTimeout = nil }
  }

  func setWaiter(_ waiter: CheckedContinuation<TransferResult, Never>) {
    self.waiter = waiter
  }

  /// Returns the handle for the next transfer.
  func giveBackHandle() {
    pool?.give(easy)
  }

  /// Records that the loop has accepted it; libcurl starts it in its next call.
  func begin(afterCalls calls: Int) {
    state = .running(since: calls)
    began = .now
  }

  /// Passes the result to the waiter, once.
  ///
  /// - Parameters:
  ///   - code: The result code.
  ///   - ended: The time at which the loop ended it, or nil if libcurl did.
  func finish(_ code: CURLcode, ended: ContinuousClock.Instant? = nil) {
    guard let waiter else { return }
    self.waiter = nil
    resume(waiter, result(code, ended: ended))
  }

  /// Passes the result of a transfer that libcurl has not started: the handle's information is from an
  /// earlier one.
  func finishUnstarted(_ code: CurlCode) {
    guard let waiter else { return }
    self.waiter = nil
    resume(waiter, code == .outOfMemory ? .cannotStart : .unstarted(code, message: ""))
  }

  private func resume(_ waiter: CheckedContinuation<TransferResult, Never>, _ result: TransferResult) {
    fence.release()
    waiter.resume(returning: result)
  }

  /// Acquires the result from the loop's thread; called by the waiting task.
  func takeOver() {
    fence.acquire()
  }
}

// Safe because of the hand-over: the caller's thread stops using it before the loop's thread starts, with the
// mailbox's lock between the two.
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
        // libcurl would declare form data, and would wait for a 100 response, which hostile servers never
        // send.
        if !headers.contains(where: { $0.lowercased().hasPrefix("content-type:") }) {
          headers.append("Content-Type:")
        }
        if !headers.contains(where: { $0.lowercased().hasPrefix("expect:") }) { headers.append("Expect:") }
      }
      if method != "POST" { easy.set(CURLOPT_CUSTOMREQUEST, method) }
    }
    easy.setHeaders(headers)
  }

  /// When there is memory for a piece of the body; if later, it is to be delivered again, after the transfer has
  /// been resumed.
  private func memory(for piece: UnsafeRawBufferPointer) -> BodyMemory {
    guard let keeping, keeping.keepsBytes else { return .now }
    return keeping.provide(piece.count) { [self] in loop?.start(TransferResumption(self)) }
  }

  /// Adds a piece of the body; returns false if the transfer must end.
  private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    keeping?.received(min(piece.count, response.room))
    guard piece.count > response.room, atLimit == nil, let furtherReading, let makeResponse else {
      return unsafe response.receiveBody(piece)
    }
    let first = response.room
    _ = unsafe response.receiveBody(UnsafeRawBufferPointer(rebasing: piece[..<first]))
    let result = result(CURLE_OK, ended: .now)
    var judged = makeResponse(result)
    judged.bodyIsCut = true
    let room = furtherReading.room(after: judged)
    atLimit = (result.moments, room)
    response.extend(by: room)
    return unsafe response.receiveBody(UnsafeRawBufferPointer(rebasing: piece[first...]))
  }

  /// Makes the handle pass received data to the transfer that is its current user.
  static func setReceivers(of easy: EasyHandle) {
    _ = unsafe probe_curl_set_receiver(easy.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
      guard let user = unsafe user else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      transfer.easy.hasReceivedHead = true
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return unsafe transfer.response.receiveHeader(line) ? size * count : 0
    }
    _ = unsafe probe_curl_set_receiver(easy.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
      guard let user = unsafe user else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      switch unsafe transfer.memory(for: piece) {
      case .now: return unsafe transfer.receiveBody(piece) ? size * count : 0
      case .later: return Int(CURL_WRITEFUNC_PAUSE)
      case .never: return 0
      }
    }
    _ = unsafe probe_curl_set_tls_setup(easy.pointer) { _, context, user in
      guard let context = unsafe context, let user = unsafe user else { return CURLE_SSL_CONNECT_ERROR }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      guard let observer = transfer.observer, let trust = transfer.trust else {
        return CURLE_SSL_CONNECT_ERROR
      }
      transfer.handshakeBegan = .now
      transfer.handshakes += 1
      // libcurl also accepts the common name, which has not counted since RFC 9525 §2.
      guard let host = transfer.isWithProxy ? transfer.hosts.proxy : transfer.hosts.server else {
        return CURLE_SSL_CONNECT_ERROR
      }
      // Data inside the proxy's TLS may be buffered there, where polling the socket does not show it.
      let readsFromSocket = !transfer.proxyIsEncrypted || transfer.isWithProxy
      unsafe observer.install(
        onContext: context, trust: trust, host: host, takesTurns: readsFromSocket, checks: transfer.checks)
      // The certificate is for the server, not for the proxy.
      guard !transfer.isWithProxy, let identity = transfer.identity else { return CURLE_OK }
      return unsafe identity.install(onContext: context) ? CURLE_OK : CURLE_SSL_CERTPROBLEM
    }
  }
}

extension Transfer {
  /// Ends the transfer if its proxy sends an endless response to CONNECT (RFC 9110 §9.3.6).
  ///
  /// libcurl reads that response in one go, byte by byte, and calls back after each to check whether to
  /// continue. Meanwhile the thread does nothing else.
  private func limitTunnelResponse() {
    unsafe probe_curl_follow(
      easy.pointer,
      { user, _, _, _, _ in
        guard let user = unsafe user else { return 0 }
        return unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().mayContinue ? 0 : 1
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private var mayContinue: Bool {
    // Once the request is sent, the tunnel is established or not needed.
    guard time(CURLINFO_PRETRANSFER_TIME_T) == 0 else { return true }
    tunnelSteps += 1
    tunnelResponseIsTooLong = tunnelSteps > Self.maximumTunnelResponse
    return !tunnelResponseIsTooLong
  }
}

extension Transfer {
  /// Whether the peer has announced its end, which is possible only inside TLS.
  var hasCloseNotify: Bool { observer?.hasCloseNotify ?? true }

  /// Whether the latest TLS handshake was with the proxy.
  private var isWithProxy: Bool { proxyIsEncrypted && handshakes == 1 }

  private func result(_ outcome: CURLcode, ended: ContinuousClock.Instant?) -> TransferResult {
    let (code, systemError) = ending(outcome)
    let hasFurtherReading = (atLimit?.room ?? 0) > 0
    var moments = TransferResult.Moments()
    moments.resolved = time(CURLINFO_NAMELOOKUP_TIME_T)
    moments.connected = connected
    moments.secured = time(CURLINFO_APPCONNECT_TIME_T)
    moments.requested = time(CURLINFO_PRETRANSFER_TIME_T)
    moments.responded = time(CURLINFO_STARTTRANSFER_TIME_T)
    // libcurl does not update its total time if the loop ends a transfer.
    moments.finished = max(time(CURLINFO_TOTAL_TIME_T), microseconds(until: ended))
    if hasFurtherReading, let atLimit { moments.finished = atLimit.moments.finished }
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
      response: response,
      isCompleteToLimit: hasFurtherReading,
      retryAfter: seconds(CURLINFO_RETRY_AFTER),
      handshake: isWithProxy ? nil : verification,
      hasCloseNotify: hasCloseNotify,
      proxy: proxy(verification)
    )
  }

  /// The remote address of the last connection; nil if none was made.
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
      responseIsTooLong: tunnelResponseIsTooLong, wasInHandshake: isWithProxy,
      handshake: isWithProxy ? verification : nil)
  }

  /// The outcome, and the system error that caused it.
  private func ending(_ code: CURLcode) -> (CURLcode, Int32) {
    switch code {
    case CURLE_OK: return (code, 0)
    case CURLE_ABORTED_BY_CALLBACK where tunnelResponseIsTooLong:
      return (CURLcode(rawValue: CurlCode.tooLarge.rawValue), 0)
    case CURLE_COULDNT_CONNECT where easy.wasPreventedFromRetrying: return (CURLE_HTTP2_STREAM, 0)
    // libcurl does not report whether the resolver could work at all.
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return (code, descriptorShortage())
    default: return (code, easy.systemError)
    }
  }

  /// The time at which the connection was established.
  ///
  /// libcurl 7.88 reports no connection if the TLS handshake on it fails; then it is the start of the
  /// handshake.
  private var connected: Int64 {
    let connected = time(CURLINFO_CONNECT_TIME_T)
    guard connected == 0, handshakeBegan != nil else { return connected }
    return max(1, microseconds(until: handshakeBegan))
  }

  /// The time from the start to an instant; 0 for none.
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
    unsafe Int64(clamping: probe_curl_get_time(easy.pointer, info))
  }

  private func failureMessage(_ code: CURLcode) -> String {
    if easy.wasPreventedFromRetrying { return "the server refused the stream of the request" }
    let message = easy.errorMessage
    guard message.isEmpty else { return message }
    return unsafe String(cString: curl_easy_strerror(code))
  }

  private func phase(_ moments: TransferResult.Moments) -> TransferResult.Phase {
    if moments.resolved == 0 { return .resolve }
    if moments.connected == 0 { return .connect }
    if isEncrypted, moments.secured == 0 { return .tls }
    return response.headIsComplete && !response.headIsInterim ? .body : .response
  }
}
