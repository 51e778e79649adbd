package import ProbeAres

/// Why a lookup has brought no address.
package enum NameError: Error, Hashable, Sendable {
  /// The name does not exist, or has no address of the family.
  case noSuchHost
  /// It could not be looked up; why, in words that go on a sentence.
  case failed(String)
  /// No descriptor is left to look it up with; the system's words.
  case noDescriptors(String)
  /// No memory or thread is left to look it up with; the system's words.
  case noMemory(String)
  /// Nobody wants to know any more.
  case cancelled
}

extension NameError {
  /// What c-ares has failed with.
  package init(_ error: AresError) {
    self =
      switch error.code {
      // What is no name cannot exist, and the C library says the same of it.
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
  /// Of the errors of several families, the one that says most; it does not depend on their order.
  ///
  /// That one server failed leaves open whether the name exists.
  static func mostTelling(of errors: [NameError]) -> NameError {
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
