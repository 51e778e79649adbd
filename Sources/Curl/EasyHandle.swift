internal import CCurl
internal import CProbeShims

/// A libcurl easy handle with the lists and buffers that must live as long as it uses them.
///
/// Not thread-safe: it is set up by one thread, then handed to the loop.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  private let socketError: UnsafeMutablePointer<Int32>
  private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []

  /// A handle with the defaults every transfer shares: nothing from the environment, nothing reused.
  init?() {
    guard let pointer = unsafe curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe socketError = .allocate(capacity: 1)
    unsafe socketError.initialize(to: 0)
  }

  deinit {
    unsafe curl_easy_cleanup(pointer)
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe errorText.deallocate()
    unsafe socketError.deallocate()
  }

  /// libcurl's words on the last failure.
  var errorMessage: String { unsafe String(cString: errorText) }

  /// The operating system's error of the last failure, or 0.
  var systemError: Int32 {
    // A socket that could not be opened leaves no error with libcurl. It explains a failure only when the machine
    // ran out of something or nothing else went wrong: an address of a family this machine lacks is passed over.
    let error = unsafe socketError.pointee
    return error.isShortage || libraryError == 0 ? error : libraryError
  }

  /// Whether ``reset()`` makes it as good as new: libcurl before 8.8 never forgets a system's error.
  var canBeReset: Bool { libraryError == 0 }

  private var libraryError: Int32 {
    unsafe Int32(truncatingIfNeeded: probe_curl_get_long(pointer, CURLINFO_OS_ERRNO))
  }

  /// Makes a used handle as good as new.
  func reset() {
    unsafe curl_easy_reset(pointer)
    unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    unsafe lists.removeAll(keepingCapacity: true)
    unsafe errorText.pointee = 0
    unsafe socketError.pointee = 0
  }

  func set(_ option: CURLoption, _ value: Int) {
    _ = unsafe probe_curl_set_long(pointer, option, value)
  }

  func set(_ option: CURLoption, _ value: Bool) {
    set(option, value ? 1 : 0)
  }

  /// libcurl copies the text.
  func set(_ option: CURLoption, _ value: String?) {
    _ = unsafe probe_curl_set_string(pointer, option, value)
  }

  /// libcurl keeps the list until the handle is reset.
  func set(_ option: CURLoption, _ lines: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { unsafe list = curl_slist_append(list, line) ?? list }
    guard let list = unsafe list else { return }
    unsafe lists.append(list)
    _ = unsafe probe_curl_set_list(pointer, option, list)
  }

  /// libcurl copies the bytes.
  func setContent(_ bytes: [UInt8]) {
    _ = unsafe probe_curl_set_size(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
    unsafe bytes.withUnsafeBytes { bytes in
      // An empty array has no address, and a nil one would tell libcurl to ask a callback.
      if let base = bytes.baseAddress {
        _ = unsafe probe_curl_set_pointer(
          pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
      } else {
        _ = unsafe probe_curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "")
      }
    }
  }

  /// What all transfers have in common.
  func setShared(_ options: TransferOptions) {
    _ = unsafe probe_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText)
    unsafe probe_curl_open_sockets(pointer, socketError)
    set(CURLOPT_URL, options.url)
    set(CURLOPT_NOSIGNAL, true)
    // Without it, ending a transfer whose name is being looked up waits for the resolver's thread.
    set(CURLOPT_QUICK_EXIT, true)
    set(CURLOPT_TIMEOUT_MS, options.timeout.wholeMilliseconds)
    set(CURLOPT_CONNECTTIMEOUT_MS, (options.connectTimeout ?? options.timeout).wholeMilliseconds)
    // The empty text, not nil: nil would read the environment.
    set(CURLOPT_PROXY, options.proxy?.url ?? "")
    set(CURLOPT_NOPROXY, "")
    if let proxy = options.proxy { setProxy(proxy) }
    if let interface = options.interface { set(CURLOPT_INTERFACE, interface) }
    set(CURLOPT_FRESH_CONNECT, true)
    set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
    if let connectTo = options.connectTo { set(CURLOPT_CONNECT_TO, [connectTo]) }
    switch options.family {
    case .v4: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4))
    case .v6: set(CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6))
    case nil: break
    }
  }
}

extension EasyHandle {
  /// `CURLAUTH_BASIC`, a macro with a cast.
  private static let basicAuthentication = 1

  private func setProxy(_ proxy: TransferOptions.Proxy) {
    // What the proxy says when it makes a tunnel is no part of the answer.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Not the tickets of Kerberos, which the environment names.
    set(CURLOPT_PROXYAUTH, Self.basicAuthentication)
    set(CURLOPT_SOCKS5_AUTH, Self.basicAuthentication)
    if let login = proxy.login {
      set(CURLOPT_PROXYUSERNAME, login.user)
      set(CURLOPT_PROXYPASSWORD, login.password)
    }
    guard proxy.isEncrypted else { return }
    // As for servers: libcurl's own store stays empty, ours comes with the callback.
    set(CURLOPT_PROXY_CAINFO, nil as String?)
    set(CURLOPT_PROXY_CAPATH, nil as String?)
    set(CURLOPT_PROXY_SSL_VERIFYPEER, 1)
    set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
    set(CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
  }
}

extension Duration {
  /// Whole milliseconds, rounded up so that no time limit turns into libcurl's 0, which means none.
  fileprivate var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Int(clamping: min(seconds, 1_000_000) * 1000 + rest))
  }
}
