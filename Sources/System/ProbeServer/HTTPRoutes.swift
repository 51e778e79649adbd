internal import ProbeBase

/// Maps methods and paths to handlers.
package struct HTTPRoutes: Sendable {
  /// Handles a request; receives the parts of the path that match wildcards of the pattern.
  package typealias Handler =
    @Sendable (HTTPServiceRequest, [String]) async throws(HTTPServiceFailure) -> HTTPServiceResponse

  private struct Route: Sendable {
    let method: String
    /// The parts of the path; nil matches any.
    let pattern: [String?]
    let handler: Handler
  }

  private var routes: [Route] = []

  package init() {}

  /// Adds a route; in the pattern, `*` matches any one part of the path, as in `/v1/states/*`.
  package mutating func add(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
    let parts = pattern.split(separator: "/").map { $0 == "*" ? nil : String($0) }
    routes.append(Route(method: method, pattern: parts, handler: handler))
  }

  /// Handles a request with the matching route; HEAD is handled as GET.
  ///
  /// - Throws: ``HTTPServiceFailure`` from the handler, with status 404 for an unknown path, or with 405.
  package func response(to request: HTTPServiceRequest) async throws(HTTPServiceFailure)
    -> HTTPServiceResponse
  {
    let matching = routes.filter { Self.matches($0.pattern, request.path) }
    guard !matching.isEmpty else {
      throw HTTPServiceFailure(
        status: 404, "there is no \(Excerpt("/" + request.path.joined(separator: "/")))")
    }
    let method = request.method == "HEAD" ? "GET" : request.method
    guard let route = matching.first(where: { $0.method == method }) else {
      let methods = matching.map(\.method)
      var failure = HTTPServiceFailure(
        status: 405, "the method \(Excerpt(request.method)) is not supported here",
        remedy: "use \(methods.alternatives)")
      failure.fields = ["Allow: \(methods.joined(separator: ", "))"]
      throw failure
    }
    let open = zip(route.pattern, request.path).compactMap { $0 == nil ? $1 : nil }
    return try await route.handler(request, open)
  }

  private static func matches(_ pattern: [String?], _ path: [String]) -> Bool {
    pattern.count == path.count && zip(pattern, path).allSatisfy { $0 == nil || $0 == $1 }
  }
}
