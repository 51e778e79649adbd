internal import CProbeAres
internal import Glibc

/// A lookup in progress.
final class Lookup {
  private let name: String
  private let source: AresChannel.Source
  private let state: ChannelState
  private let done: (Result<ResolvedName, AresError>) -> Void

  init(
    _ name: String, _ source: AresChannel.Source, _ state: ChannelState,
    _ done: @escaping (Result<ResolvedName, AresError>) -> Void
  ) {
    self.name = name
    self.source = source
    self.state = state
    self.done = done
  }

  /// Reports the result.
  ///
  /// - Parameters:
  ///   - status: The status from c-ares.
  ///   - found: The addresses from c-ares; freed here.
  ///   - systemCode: The value of errno(3), which was 0 before the call.
  func end(_ status: Int32, _ found: UnsafeMutablePointer<ares_addrinfo>?, systemCode: Int32) {
    defer { if let found = unsafe found { unsafe ares_freeaddrinfo(found) } }
    state.underway -= 1
    if status == ARES_SUCCESS, let found = unsafe found {
      let answer = unsafe ResolvedName(found.pointee, hasTimes: source == .dns)
      done(answer.addresses.isEmpty ? .failure(AresError(ARES_ENODATA)) : .success(answer))
    } else {
      done(.failure(source == .dns ? failureOfDNS(status) : failureOfFile(status, systemCode)))
    }
  }

  /// For a name that is not in the file, c-ares reports that no server could be reached, since it has queried
  /// none.
  private func failureOfFile(_ status: Int32, _ systemCode: Int32) -> AresError {
    guard status == ARES_ECONNREFUSED else { return AresError(status) }
    return AresError(shortage: systemCode) ?? AresError(ARES_ENOTFOUND)
  }

  private func failureOfDNS(_ status: Int32) -> AresError {
    switch status {
    case ARES_ECONNREFUSED, ARES_ETIMEOUT:
      // After an error response, c-ares queries other servers, and in the end it reports that none could be
      // reached. This call is made while the last response is being read.
      switch unsafe state.sockets.pointee.code {
      case 2: return AresError(ARES_ESERVFAIL)
      case 4: return AresError(ARES_ENOTIMP)
      case 5: return AresError(ARES_EREFUSED)
      default: break
      }
      guard status == ARES_ECONNREFUSED else { return AresError(status) }
      // It does not query servers for this name (RFC 6761 §6.3).
      if name == "localhost" { return AresError(ARES_ENOTFOUND) }
      return unsafe AresError(shortage: state.sockets.pointee.error) ?? AresError(status)
    // c-ares passes no data for an unknown code.
    case ARES_ENODATA where unsafe state.sockets.pointee.code > 5: return AresError(ARES_ESERVFAIL)
    // With a search domain the name is too long, so it does not exist there.
    case ARES_EBADNAME where name.isNameOfDNS: return AresError(ARES_ENOTFOUND)
    default: return AresError(status)
    }
  }
}

extension String {
  /// Whether its labels and the whole have a valid length (RFC 1035 §2.3.4).
  fileprivate var isNameOfDNS: Bool {
    let labels = (utf8.last == UInt8(ascii: ".") ? utf8.dropLast() : utf8[...])
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { 1...63 ~= $0.count } && labels.reduce(1) { $0 + $1.count + 1 } <= 255
  }
}

extension AresError {
  init(_ status: Int32) {
    let code: Code =
      switch status {
      case ARES_ENOTFOUND: .noSuchName
      case ARES_ENODATA: .noData
      case ARES_ESERVFAIL: .serverFailure
      case ARES_EREFUSED: .refused
      case ARES_ENOTIMP: .notImplemented
      case ARES_EFORMERR: .formatError
      case ARES_ETIMEOUT: .timeout
      case ARES_ECONNREFUSED: .noServers
      case ARES_EBADRESP: .badResponse
      case ARES_EBADNAME: .badName
      case ARES_ENOMEM: .noMemory
      case ARES_ECANCELLED, ARES_EDESTRUCTION: .cancelled
      default: .other
      }
    self.init(code, unsafe ares_strerror(status).map { unsafe String(cString: $0) } ?? "status \(status)")
  }
  /// The error of a system error number, if it means that a resource was exhausted.
  init?(shortage systemCode: Int32) {
    let words = unsafe strerror(systemCode).map { unsafe String(cString: $0) } ?? "error \(systemCode)"
    switch systemCode {
    case EMFILE, ENFILE: self.init(.noDescriptors, words)
    case ENOMEM, ENOBUFS: self.init(.noMemory, words)
    default: return nil
    }
  }
}

/// The reason why a lookup resulted in no address.
package struct AresError: Error, Hashable, Sendable {
  package struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// The name does not exist (NXDOMAIN), or is not in the hosts file.
    package static let noSuchName = Code("noSuchName")
    /// The name exists, but has no address of the family.
    static let noData = Code("noData")
    /// A server failed (SERVFAIL, or an unexpected code).
    package static let serverFailure = Code("serverFailure")
    /// A server refused the query (REFUSED).
    package static let refused = Code("refused")
    /// A server does not support the query (NOTIMP).
    static let notImplemented = Code("notImplemented")
    /// A server could not parse the query (FORMERR).
    package static let formatError = Code("formatError")
    /// No server responded in time.
    package static let timeout = Code("timeout")
    /// No server could be queried: none is configured, there is no route to it, or it refused the connection.
    static let noServers = Code("noServers")
    static let badResponse = Code("badResponse")
    /// The name is invalid in DNS.
    static let badName = Code("badName")
    package static let noMemory = Code("noMemory")
    /// No descriptor is available.
    package static let noDescriptors = Code("noDescriptors")
    /// It was cancelled, or its channel was released.
    package static let cancelled = Code("cancelled")
    /// Any other error; see the description.
    package static let other = Code("other")
  }

  package var code: Code
  /// The description by c-ares, which starts with a capital letter and has no period.
  package var words: String

  package init(_ code: Code, _ words: String) {
    self.code = code
    self.words = words
  }
}
