/// The reason why a lookup resulted in no address.
package enum NameError: Error, Hashable, Sendable {
  /// The name does not exist, or has no address of the family.
  case noSuchHost
  /// The lookup failed; the text continues a sentence.
  case failed(String)
  /// No file descriptor was available; with the system's error message.
  case noDescriptors(String)
  /// No memory or thread was available; with the system's error message.
  case noMemory(String)
  case cancelled
}

extension NameError {
  package init(_ error: AresError) {
    self =
      switch error.code {
      // An invalid name cannot exist; the C library reports the same.
      case .noSuchName, .noData, .badName: .noSuchHost
      case .serverFailure: .failed("the DNS server failed (SERVFAIL)")
      case .refused: .failed("the DNS server refused to answer (REFUSED)")
      case .notImplemented: .failed("the DNS server cannot answer such a question (NOTIMP)")
      case .formatError: .failed("the DNS server could not read the question (FORMERR)")
      case .badResponse: .failed("the DNS server's answer cannot be read")
      case .timeout: .failed("no DNS server answered")
      case .noServers: .failed("no DNS server can be reached")
      case .noDescriptors: .noDescriptors(error.words.lowercased())
      case .noMemory: .noMemory(error.words.lowercased())
      case .cancelled: .cancelled
      default: .failed(error.words)
      }
  }
}

extension NameError {
  /// The most informative of the errors of several families, regardless of their order.
  ///
  /// The failure of one server does not show whether the name exists.
  static func bestExplanation(of errors: [NameError]) -> NameError {
    errors.min { ($0.rank, $0.words) < ($1.rank, $1.words) } ?? .noSuchHost
  }

  private var rank: Int {
    switch self {
    case .noDescriptors: 0
    case .noMemory: 1
    case .failed: 2
    case .noSuchHost: 3
    case .cancelled: 4
    }
  }

  private var words: String {
    switch self {
    case .noDescriptors(let words), .noMemory(let words), .failed(let words): words
    case .noSuchHost, .cancelled: ""
    }
  }
}
