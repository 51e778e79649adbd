/// Why a lookup has brought no address.
package struct AresError: Error, Hashable, Sendable {
  /// What went wrong, for a program.
  package struct Code: Hashable, Sendable {
    private let name: String

    private init(_ name: String) {
      self.name = name
    }

    /// There is no such name (NXDOMAIN), or the hosts file does not have it.
    package static let noSuchName = Code("noSuchName")
    /// The name exists, and has no address of the family.
    package static let noData = Code("noData")
    /// A server has failed (SERVFAIL, or a code that it has no reason to give).
    package static let serverFailure = Code("serverFailure")
    /// A server does not want to answer (REFUSED).
    package static let refused = Code("refused")
    /// A server cannot answer this (NOTIMP).
    package static let notImplemented = Code("notImplemented")
    /// A server could not read the question (FORMERR).
    package static let formatError = Code("formatError")
    /// No server has answered in time.
    package static let timeout = Code("timeout")
    /// No server could be asked: there is none, or there is no way to it, or nobody listens there.
    package static let noServers = Code("noServers")
    /// An answer that cannot be read.
    package static let badResponse = Code("badResponse")
    /// No name that DNS could have.
    package static let badName = Code("badName")
    /// No memory is left.
    package static let noMemory = Code("noMemory")
    /// No descriptor is left.
    package static let noDescriptors = Code("noDescriptors")
    /// It was cancelled, or its channel is no more.
    package static let cancelled = Code("cancelled")
    /// Something else; the words tell.
    package static let other = Code("other")
  }

  /// What went wrong.
  package var code: Code
  /// The same in c-ares' words; they begin with a capital letter and have no full stop.
  package var words: String

  /// An error.
  package init(_ code: Code, _ words: String) {
    self.code = code
    self.words = words
  }
}
