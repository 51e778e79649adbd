internal import CProbeAres
internal import ProbeSystem
internal import Glibc
package import ProbeBase

/// A channel of c-ares: lookups in progress that share their sockets.
///
/// It belongs to one thread and never blocks. The `watch` closure receives the sockets to watch; the owner calls
/// ``process(_:readable:writable:)`` for their events and ``processTimeouts()`` when a timeout passes. Any call may run
/// the closures; a closure may call the channel or release it.
///
/// The environment is ignored: the configuration overrides `RES_OPTIONS` and `LOCALDOMAIN`, and
/// `HOSTALIASES` and `CARES_HOSTS` have no effect.
@safe package final class AresChannel {
  package enum Source: Hashable, Sendable {
    /// `/etc/hosts`, which each lookup reads.
    case hostsFile
    /// The DNS servers.
    case dns
  }

  /// The version of c-ares that is running.
  package static var libraryVersion: String { unsafe String(cString: ares_version(nil)) }

  private let source: Source
  private let state: ChannelState
  /// Whether `CARES_HOSTS` names the hosts file, for tests.
  private let hasHostsOfEnvironment: Bool
  private let channel: ares_channel

  /// Creates a channel, which opens no socket yet.
  ///
  /// - Parameters:
  ///   - source: The source of lookups.
  ///   - configuration: The DNS servers and the options of queries; nil reads `/etc/resolv.conf`.
  ///   - hasHostsOfEnvironment: Whether the variable `CARES_HOSTS` names the hosts file, for tests.
  ///   - watch: Called with the events to watch for on a socket, or with none before the socket is closed.
  ///     Repeated calls may be the same, and the last ones come from `deinit`. Report an error on a socket as
  ///     readable. Remove a socket with no events from an epoll(7) set: a child process being started may
  ///     still hold it open.
  /// - Throws: ``AresError`` if memory or descriptors are exhausted, a file cannot be read, or there are no
  ///   random numbers.
  package init(
    _ source: Source, _ configuration: ResolverConfiguration? = nil, hasHostsOfEnvironment: Bool = false,
    watch: @escaping (_ descriptor: Int32, _ readable: Bool, _ writable: Bool) -> Void
  ) throws(AresError) {
    self.source = source
    self.hasHostsOfEnvironment = hasHostsOfEnvironment
    state = ChannelState(watch)
    var used = configuration ?? ResolverConfiguration()
    if configuration == nil, source == .dns { used = try Self.configurationOfMachine() }
    if source == .dns { try Self.checkRandomNumbers() }
    unsafe channel = try Self.make(source, used, state)
    unsafe probe_ares_open_sockets(channel, state.sockets)
  }

  /// Ends all lookups, and closes the sockets.
  deinit {
    unsafe ares_destroy(channel)
  }

  /// The number of lookups in progress.
  package var underway: Int { state.underway }

  /// The time until the next call of ``processTimeouts()``; nil if no lookup is in progress.
  var timeLeft: Duration? {
    var room = timeval()
    guard let time = unsafe ares_timeout(channel, nil, &room) else { return nil }
    // c-ares rounds down to milliseconds, and would do nothing yet.
    return unsafe .seconds(time.pointee.tv_sec) + .microseconds(time.pointee.tv_usec) + .milliseconds(1)
  }

  /// Resolves a name.
  ///
  /// - Parameters:
  ///   - name: The name; if it ends with a dot, no search domain is appended. An address is not a name.
  ///   - family: The address family. Use nil for both only with the hosts file: with DNS, a response for one
  ///     family hides why there is none for the other.
  ///   - done: Called once, possibly before this returns, and at the latest when the channel is released.
  package func lookUp(
    _ name: String, _ family: IPFamily?, _ done: @escaping (Result<ResolvedName, AresError>) -> Void
  ) {
    guard !name.isEmpty, !name.utf8.contains(0) else { return done(.failure(AresError(ARES_EBADNAME))) }
    var hints = ares_addrinfo_hints()
    hints.ai_flags = hasHostsOfEnvironment ? ARES_AI_ENVHOSTS : 0
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_family =
      switch family {
      case .v4: AF_INET
      case .v6: AF_INET6
      case nil: AF_UNSPEC
      }
    // Responses to earlier queries do not apply to this one.
    if state.underway == 0 { unsafe (state.sockets.pointee.code, state.sockets.pointee.error) = (-1, 0) }
    state.underway += 1
    let lookup = unsafe Unmanaged.passRetained(Lookup(name, source, state, done))
    // c-ares invents addresses for a `localhost` that is not in the file, and leaks a little memory each
    // time. In capitals it treats the name like any other.
    let queriedName = source == .hostsFile && name == "localhost" ? "LOCALHOST" : name
    withExtendedLifetime(self) {
      // errno shows whether the hosts file could not be opened, which c-ares treats as a file without the
      // name.
      errno = 0
      unsafe ares_getaddrinfo(
        channel, queriedName, nil, &hints,
        { lookup, status, _, found in
          guard let lookup = unsafe lookup else { return }
          unsafe Unmanaged<Lookup>.fromOpaque(lookup).takeRetainedValue().end(
            status, found, systemCode: errno)
        }, lookup.toOpaque())
    }
  }

  /// Handles events of a socket.
  package func process(_ descriptor: Int32, readable: Bool, writable: Bool) {
    withExtendedLifetime(self) {
      unsafe ares_process_fd(
        channel, readable ? descriptor : ARES_SOCKET_BAD, writable ? descriptor : ARES_SOCKET_BAD)
    }
  }

  /// Retries or ends queries whose timeout has expired.
  func processTimeouts() {
    process(ARES_SOCKET_BAD, readable: false, writable: false)
  }

  /// Ends all lookups in progress, with ``AresError/Code/cancelled``.
  package func cancelAll() {
    withExtendedLifetime(self) { unsafe ares_cancel(channel) }
  }
}

extension AresChannel {
  private static func configurationOfMachine() throws(AresError) -> ResolverConfiguration {
    do {
      return try ResolverConfiguration.ofMachine()
    } catch {
      throw AresError(shortage: error.systemCode)
        ?? AresError(.other, "/etc/resolv.conf: \(error.description)")
    }
  }

  /// Without this file c-ares uses predictable query IDs.
  private static func checkRandomNumbers() throws(AresError) {
    let path = "/dev/urandom"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    let error = errno
    throw AresError(shortage: error)
      ?? AresError(.other, unsafe "\(path): \(String(cString: strerror(error)))")
  }

  private static func make(
    _ source: Source, _ configuration: ResolverConfiguration, _ state: ChannelState
  ) throws(AresError) -> ares_channel {
    let mask =
      ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_NDOTS | ARES_OPT_SERVERS
      | ARES_OPT_DOMAINS
      | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB | ARES_OPT_SORTLIST
      | (configuration.rotates ? ARES_OPT_ROTATE : ARES_OPT_NOROTATE)
    var options = unsafe ares_options()
    unsafe options.flags = ARES_FLAG_NOALIASES | (configuration.usesTCP ? ARES_FLAG_USEVC : 0)
    unsafe options.timeout = Int32(
      clamping: Int(bounding: (configuration.timeout / .milliseconds(1)).rounded(.up)))
    unsafe options.tries = Int32(clamping: configuration.attempts)
    unsafe options.ndots = Int32(clamping: configuration.dots)
    unsafe options.sock_state_cb = { state, descriptor, readable, writable in
      guard let state = unsafe state else { return }
      unsafe Unmanaged<ChannelState>.fromOpaque(state).takeUnretainedValue().watch(
        descriptor, readable != 0, writable != 0)
    }
    unsafe options.sock_state_cb_data = Unmanaged.passUnretained(state).toOpaque()
    var domains = unsafe configuration.search.map { unsafe strdup($0) }
    defer { unsafe domains.forEach { unsafe free($0) } }
    var lookups = source == .dns ? [CChar](arrayLiteral: 0x62, 0) : [CChar](arrayLiteral: 0x66, 0)
    var channel: ares_channel?
    unsafe options.ndomains = Int32(clamping: domains.count)
    let status = unsafe domains.withUnsafeMutableBufferPointer { domains in
      unsafe lookups.withUnsafeMutableBufferPointer { lookups in
        unsafe options.domains = domains.baseAddress
        unsafe options.lookups = lookups.baseAddress
        return unsafe ares_init_options(&channel, &options, mask)
      }
    }
    guard status == ARES_SUCCESS, let channel = unsafe channel else { throw AresError(status) }
    let servers = configuration.servers.map(\.description).joined(separator: ",")
    let serverStatus = unsafe ares_set_servers_ports_csv(channel, servers)
    guard serverStatus == ARES_SUCCESS else {
      unsafe ares_destroy(channel)
      throw AresError(serverStatus)
    }
    return unsafe channel
  }
}

/// The state that the callbacks of a channel share with it.
@safe final class ChannelState {
  var underway = 0
  let watch: (Int32, Bool, Bool) -> Void
  let sockets = UnsafeMutablePointer<probe_ares_sockets>.allocate(capacity: 1)

  init(_ watch: @escaping (Int32, Bool, Bool) -> Void) {
    self.watch = watch
    unsafe sockets.initialize(to: probe_ares_sockets())
  }

  deinit {
    unsafe sockets.deallocate()
  }
}
