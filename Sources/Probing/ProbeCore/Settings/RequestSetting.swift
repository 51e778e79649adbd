/// A change to a request, made by one key of `request` in a pipeline.
public struct RequestSetting: Sendable {
  /// The key it was read from, or nil if it was made in code.
  public var key: String?
  private let change: @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void

  /// Creates a setting.
  ///
  /// - Parameter change: Changes the request; throws if that fails in the context, for example because a
  ///   secret cannot be read.
  public init(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) {
    self.change = change
  }

  /// Applies the setting to a request.
  ///
  /// - Throws: ``InvalidInput`` if that fails in the context.
  public func apply(to request: inout ProbeRequest, in context: RequestContext) throws(InvalidInput) {
    try change(&request, context)
  }
}
