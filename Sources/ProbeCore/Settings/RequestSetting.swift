/// What one key of `request` in a pipeline sets in a request.
public struct RequestSetting: Sendable {
  /// The key it was read from, or nil for one made in code.
  public var key: String?
  private let change: @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void

  /// A setting.
  ///
  /// - Parameter change: Changes the request; throws what cannot be done in the context, such as reading a secret.
  public init(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.change = change
  }

  /// Changes a request.
  ///
  /// - Throws: ``InvalidInput`` for what cannot be done in the context.
  public func apply(to request: inout ProbeRequest, in context: RequestContext) throws(InvalidInput) {
    try change(&request, context)
  }
}
