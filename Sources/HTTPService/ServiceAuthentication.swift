/// Decides who may use a service.
package protocol ServiceAuthentication: Sendable {
  /// Why a request is refused; nil if it is not.
  ///
  /// It is called before the handler and on its executor, so that it must not block the thread.
  func fault(of request: HTTPServiceRequest) async -> HTTPServiceFault?
}
