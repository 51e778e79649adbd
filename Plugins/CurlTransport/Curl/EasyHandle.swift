internal import CProbeCurl
internal import Glibc
internal import ProbeCore
internal import ProbeSystem

/// A libcurl easy handle with the lists and buffers that must live as long as it uses them.
///
/// The options that all transfers share are set once and kept for the next transfer, because setting them is
/// most of the cost of preparing one. Any other option marks the handle, which is then reset before it is
/// reused, so that no option of one transfer ever affects another.
///
/// Not thread-safe: it is set up on one thread, then passed to the loop.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private let sockets: UnsafeMutablePointer<probe_curl_sockets>
  /// The cache with the addresses of its own host, if they are known.
  private var names: UnsafeMutableRawPointer?
  private var refusesAddress: (@Sendable (String) -> Bool)?
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
  private var headers: [String] = []
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// Whether options have been set other than those that every transfer shares.
  private var isMarked = false
  /// Whether libcurl reads no more at once than fits into its buffer.
  ///
  /// A transfer that ends before it has a connection leaves its buffer with the handle. Resetting the handle
  /// restores libcurl's default size, but not a buffer of that size, and while there is a buffer no other
  /// size can be set: libcurl would write received data past the buffer's end.
  private var hasOwnBufferSize = false

  /// A handle with the defaults that every transfer shares: nothing from the environment, no reuse of
  /// connections.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe sockets = .allocate(capacity: 1)
    unsafe sockets.initialize(to: probe_curl_sockets())
    forgetSockets()
    setDefaults()
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    forgetNames()
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe curl_slist_free_all(headerList)
    unsafe errorText.deallocate()
    unsafe sockets.deallocate()
  }

  /// libcurl's message for the last failure.
  var errorMessage: String { unsafe String(cString: errorText) }

  /// The operating system's error of the last failure, or 0.
  var systemError: Int32 {
    // libcurl does not record the error of a socket that could not be opened. It explains a failure only if a
    // resource was exhausted or there was no other error: an address of an unsupported family is skipped.
    let error = unsafe sockets.pointee.error
    return error.isShortage || libraryError == 0 ? error : libraryError
  }

  /// The last address that was tried; nil if none was.
  var tried: SocketAddress? {
    unsafe IPAddress(String(cString: probe_curl_sockets_address(sockets)))
      .map { unsafe SocketAddress($0, port: sockets.pointee.port) }
  }

  /// Whether a resolved address was refused.
  var hasRefusedAddress: Bool { unsafe sockets.pointee.refused }

  /// Whether libcurl was prevented from repeating its request on another connection.
  var wasPreventedFromRetrying: Bool { unsafe sockets.pointee.again != 0 }

  private func forgetSockets() {
    unsafe sockets.pointee = probe_curl_sockets()
    unsafe sockets.pointee.easy = pointer
    unsafe sockets.pointee.words = unsafe UnsafePointer(errorText)
  }

  /// Whether it has ever received a head.
  var hasReceivedHead = false

  /// Whether it can be reused.
  ///
  /// libcurl before 8.8 never resets a system error, and before 8.0 it appends a folded line at the start of
  /// a head to the last field of the previous head, whose memory is already free.
  var canBeUsedAgain: Bool { libraryError == 0 && !(hasReceivedHead && CurlFeatures.keepsFreedFields) }

  private var libraryError: Int32 {
    unsafe Int32(truncatingIfNeeded: probe_curl_get_long(pointer, CURLINFO_OS_ERRNO))
  }

  /// Prepares a used handle for the next transfer.
  ///
  /// - Returns: false if that is impossible; then it must not be reused.
  func renew() -> Bool {
    unsafe errorText.pointee = 0
    forgetSockets()
    refusesAddress = nil
    guard isMarked else { return true }
    isMarked = false
    unsafe curl_easy_reset(pointer)
    if unsafe names != nil {
      // A reset keeps it.
      _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_SHARE, nil)
      forgetNames()
    }
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe lists.removeAll(keepingCapacity: true)
    unsafe curl_slist_free_all(headerList)
    unsafe headerList = nil
    headers = []
    setDefaults()
    return hasOwnBufferSize
  }
}

/// Options of individual transfers.
extension EasyHandle {
  func set(_ option: CURLoption, _ value: Int) {
    isMarked = true
    setDefault(option, value)
  }

  func set(_ option: CURLoption, _ value: Bool) {
    set(option, value ? 1 : 0)
  }

  /// libcurl copies the text.
  func set(_ option: CURLoption, _ value: String?) {
    isMarked = true
    setDefault(option, value)
  }

  /// libcurl uses the list until the handle is renewed.
  func set(_ option: CURLoption, _ lines: [String]) {
    isMarked = true
    guard let list = unsafe Self.list(lines) else { return }
    unsafe lists.append(list)
    _ = unsafe probe_curl_set_list(pointer, option, list)
  }

  /// libcurl copies the bytes.
  func setContent(_ bytes: [UInt8]) {
    isMarked = true
    _ = unsafe probe_curl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty array has no address, and a nil one would make libcurl call a callback.
      if let base = bytes.baseAddress {
        _ = unsafe probe_curl_set_pointer(
          pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
      } else {
        _ = unsafe probe_curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "")
      }
    }
  }

  /// The name to which known addresses belong.
  ///
  /// It replaces the host to connect to: libcurl reads a host that begins with `-` or `+` as a command of its
  /// list, and has its own rules for others, such as `localhost` and a dot at the end. The name is reserved
  /// (RFC 6761 §6.4), so nothing outside can know it.
  static let knownName = "known.invalid"

  /// Uses known addresses for ``knownName``.
  ///
  /// They are in a cache of the handle's own, because that of the multi handle would keep them for other transfers.
  private func useAddresses(_ addresses: [IPAddress], port: UInt16) {
    isMarked = true
    // Without memory, nothing must be looked up elsewhere.
    guard let names = unsafe probe_curl_make_names() else { return setDefault(CURLOPT_URL, nil as String?) }
    unsafe self.names = names
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_SHARE, names)
    let texts = addresses.map(\.bracketed)
    set(CURLOPT_RESOLVE, ["\(Self.knownName):\(port):\(texts.joined(separator: ","))"])
  }

  private func forgetNames() {
    if let names = unsafe names { unsafe curl_share_cleanup(names) }
    unsafe names = nil
  }

  /// Prevents connections to addresses, as text, for which the closure returns true.
  private func refuseAddresses(_ refuses: @escaping @Sendable (String) -> Bool) {
    isMarked = true
    refusesAddress = refuses
    unsafe sockets.pointee.user = Unmanaged.passUnretained(self).toOpaque()
    unsafe sockets.pointee.refuses = { user, address in
      guard let user = unsafe user else { return true }
      let handle = unsafe Unmanaged<EasyHandle>.fromOpaque(user).takeUnretainedValue()
      return unsafe handle.refusesAddress?(String(cString: address)) ?? false
    }
  }

  private static func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { unsafe list = curl_slist_append(list, line) ?? list }
    return unsafe list
  }
}

/// Options of every transfer, each with its own value.
extension EasyHandle {
  func setCommon(_ options: TransferOptions, allowsHTTP09: Bool = false) {
    setDefault(CURLOPT_HTTP09_ALLOWED, allowsHTTP09)
    setDefault(CURLOPT_URL, options.url)
    setDefault(CURLOPT_TIMEOUT_MS, options.timeout.curlTimeout)
    setDefault(CURLOPT_CONNECTTIMEOUT_MS, (options.connectTimeout ?? options.timeout).curlTimeout)
    if let proxy = options.proxy { setProxy(proxy, hasKnownAddresses: options.knownAddresses != nil) }
    if let interface = options.interface { set(CURLOPT_INTERFACE, interface) }
    if let refuses = options.refusesAddress { refuseAddresses(refuses) }
    if let known = options.knownAddresses { useAddresses(known.all, port: known.port) }
    if let known = options.knownAddresses, options.proxy == nil {
      set(CURLOPT_CONNECT_TO, ["::\(Self.knownName):\(known.port)"])
    } else if let connectTo = options.connectTo {
      set(CURLOPT_CONNECT_TO, [connectTo])
    }
    switch options.family {
    case .v4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .v6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    case nil: break
    }
  }

  /// The header lines to send; the list of the previous transfer is reused if it is the same.
  func setHeaders(_ lines: [String]) {
    guard lines != headers else { return }
    let list = unsafe Self.list(lines)
    _ = unsafe probe_curl_set_list(pointer, CURLOPT_HTTPHEADER, list)
    unsafe curl_slist_free_all(headerList)
    unsafe headerList = list
    headers = lines
  }

  /// The user pointer of the callbacks, which must be valid until the transfer has ended.
  func setUser(_ user: UnsafeMutableRawPointer) {
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_HEADERDATA, user)
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_WRITEDATA, user)
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_SSL_CTX_DATA, user)
  }
}

/// Options of every transfer with the same value.
extension EasyHandle {
  /// The content codings that a handle decodes by default.
  static let usualContentCodings = "gzip, deflate"

  private func setDefault(_ option: CURLoption, _ value: Int) {
    _ = unsafe probe_curl_set_long(pointer, option, value)
  }

  private func setDefault(_ option: CURLoption, _ value: Bool) {
    setDefault(option, value ? 1 : 0)
  }

  private func setDefault(_ option: CURLoption, _ value: String?) {
    guard let value else { return _ = unsafe probe_curl_set_string(pointer, option, nil) }
    // Passing the text directly would copy it first.
    _ = unsafe value.withCString { unsafe probe_curl_set_string(pointer, option, $0) }
  }

  private func setDefaults() {
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    unsafe probe_curl_open_sockets(pointer, sockets)
    setDefault(CURLOPT_NOSIGNAL, true)
    // Without it, ending a transfer during name resolution waits for the resolver's thread.
    setDefault(CURLOPT_QUICK_EXIT, true)
    // The empty text, not nil, which would read the environment.
    setDefault(CURLOPT_PROXY, "")
    setDefault(CURLOPT_NOPROXY, "")
    setDefault(CURLOPT_FRESH_CONNECT, true)
    setDefault(CURLOPT_FORBID_REUSE, true)
    setDefault(CURLOPT_DNS_CACHE_TIMEOUT, 0)
    // Most responses are short, and every probe in flight has its own buffer: a long response is read in more
    // pieces.
    hasOwnBufferSize = unsafe probe_curl_set_long(pointer, CURLOPT_BUFFERSIZE, 1024) == CURLE_OK
    setHTTPDefaults()
    setTLSDefaults()
  }

  private func setHTTPDefaults() {
    setDefault(CURLOPT_PROTOCOLS_STR, "http,https")
    setDefault(CURLOPT_FOLLOWLOCATION, false)
    setDefault(CURLOPT_PATH_AS_IS, true)
    // Decoding is enabled so that pages can be validated; sizes are limited after decoding.
    setDefault(CURLOPT_ACCEPT_ENCODING, Self.usualContentCodings)
    Transfer.setReceivers(of: self)
  }

  private func setTLSDefaults() {
    // Debian's libcurl parses its whole bundle for every connection if a CA path is set, as it is by default
    // (1300 handshakes a second become 49). We provide a parsed trust store; libcurl's own remains empty, and
    // its cache is disabled so that it can never use one transfer's store for another.
    setDefault(CURLOPT_CAINFO, nil as String?)
    setDefault(CURLOPT_CAPATH, nil as String?)
    setDefault(CURLOPT_CA_CACHE_TIMEOUT, 0)
    setDefault(CURLOPT_SSL_VERIFYPEER, 1)
    setDefault(CURLOPT_SSL_VERIFYHOST, 2)
    setDefault(CURLOPT_SSL_SESSIONID_CACHE, false)
    // Independent of the machine's OpenSSL configuration.
    setDefault(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
  }
}

extension Duration {
  /// A timeout that libcurl can have, in milliseconds; never its 0, which means none.
  fileprivate var curlTimeout: Int { max(1, Int(clamping: min(self, .seconds(1_000_000)).wholeMilliseconds)) }
}

/// Proxy options.
extension EasyHandle {
  /// `CURLAUTH_BASIC`, a macro with a cast.
  private static let basicAuthentication = 1

  /// Uses a proxy, at its own host or at ``knownName``.
  func setProxy(_ proxy: ProbeProxy, hasKnownAddresses: Bool) {
    set(
      CURLOPT_PROXY,
      hasKnownAddresses ? "\(proxy.kind.rawValue)://\(Self.knownName):\(proxy.port)" : proxy.description)
    // The head of the proxy's response to CONNECT is not part of the response.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Not Kerberos, whose tickets come from the environment.
    set(CURLOPT_PROXYAUTH, Self.basicAuthentication)
    set(CURLOPT_SOCKS5_AUTH, Self.basicAuthentication)
    if let user = proxy.user {
      set(CURLOPT_PROXYUSERNAME, user)
      set(CURLOPT_PROXYPASSWORD, proxy.password?.withText(\.self) ?? "")
    }
    guard proxy.kind == .https else { return }
    // As for servers: libcurl's own store remains empty, ours is set in the callback.
    set(CURLOPT_PROXY_CAINFO, nil as String?)
    set(CURLOPT_PROXY_CAPATH, nil as String?)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
  }
}
