/// Decides which clients may use a service.
package protocol ServiceAuthentication: Sendable {
  /// The reason for refusing a request; nil if it is accepted.
  ///
  /// This is called before the handler and on its executor, so it must not block the thread.
  func fault(of request: HTTPServiceRequest) async -> HTTPServiceFault?
}
