internal import CProbeAres
internal import CProbeShims
internal import Glibc

/// A lookup that is under way.
final class Lookup {
  private let name: String
  private let source: AresChannel.Source
  private let state: ChannelState
  private let done: (Result<NameAnswer, AresError>) -> Void

  init(
    _ name: String, _ source: AresChannel.Source, _ state: ChannelState,
    _ done: @escaping (Result<NameAnswer, AresError>) -> Void
  ) {
    self.name = name
    self.source = source
    self.state = state
    self.done = done
  }

  /// Tells what has come of it.
  ///
  /// - Parameters:
  ///   - status: How c-ares says it ended.
  ///   - found: What it has found; freed here.
  ///   - systemCode: The system's last error, in a call that began without one.
  func end(_ status: Int32, _ found: UnsafeMutablePointer<ares_addrinfo>?, systemCode: Int32) {
    defer { if let found = unsafe found { unsafe ares_freeaddrinfo(found) } }
    state.underway -= 1
    if status == ARES_SUCCESS, let found = unsafe found {
      let answer = unsafe NameAnswer(found.pointee, hasTimes: source == .dns)
      done(answer.addresses.isEmpty ? .failure(AresError(ARES_ENODATA)) : .success(answer))
    } else {
      done(.failure(source == .dns ? failureOfDNS(status) : failureOfFile(status, systemCode)))
    }
  }

  /// c-ares says of a name that is not in the file that no server could be reached, as it had not asked any.
  private func failureOfFile(_ status: Int32, _ systemCode: Int32) -> AresError {
    guard status == ARES_ECONNREFUSED else { return AresError(status) }
    return AresError(shortage: systemCode) ?? AresError(ARES_ENOTFOUND)
  }

  private func failureOfDNS(_ status: Int32) -> AresError {
    switch status {
    case ARES_ECONNREFUSED, ARES_ETIMEOUT:
      // What servers refuse, c-ares asks others for, and in the end it says that none could be reached. This
      // call is made while the last answer is being read.
      switch unsafe state.sockets.pointee.code {
      case 2: return AresError(ARES_ESERVFAIL)
      case 4: return AresError(ARES_ENOTIMP)
      case 5: return AresError(ARES_EREFUSED)
      default: break
      }
      guard status == ARES_ECONNREFUSED else { return AresError(status) }
      // It does not ask servers for this name (RFC 6761 §6.3).
      if name == "localhost" { return AresError(ARES_ENOTFOUND) }
      return unsafe AresError(shortage: state.sockets.pointee.error) ?? AresError(status)
    // A code that it does not know comes with nothing.
    case ARES_ENODATA where unsafe state.sockets.pointee.code > 5: return AresError(ARES_ESERVFAIL)
    // With one of the domains to search the name is too long: there is no such name there.
    case ARES_EBADNAME where name.isNameOfDNS: return AresError(ARES_ENOTFOUND)
    default: return AresError(status)
    }
  }
}

extension String {
  /// Whether its labels are as long as they may be, and all of it is (RFC 1035 §2.3.4).
  fileprivate var isNameOfDNS: Bool {
    let labels = (utf8.last == UInt8(ascii: ".") ? utf8.dropLast() : utf8[...])
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { 1...63 ~= $0.count } && labels.reduce(1) { $0 + $1.count + 1 } <= 255
  }
}

extension AresError {
  /// What a status of c-ares says.
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
  /// What an error of the system's says, if it is that something ran out.
  init?(shortage systemCode: Int32) {
    let words = unsafe strerror(systemCode).map { unsafe String(cString: $0) } ?? "error \(systemCode)"
    switch systemCode {
    case EMFILE, ENFILE: self.init(.noDescriptors, words)
    case ENOMEM, ENOBUFS: self.init(.noMemory, words)
    default: return nil
    }
  }
}
