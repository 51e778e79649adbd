/// The expectations and changes of a test, in one line each.
extension ReplayedNetwork {
  /// Requires that this number of requests reached the network.
  ///
  /// ```swift
  /// try portal.expect(.once, "GET http://shop.example/health")
  /// ```
  /// - Parameters:
  ///   - count: The expected number.
  ///   - request: The request, as in ``RouteCondition/init(request:)``.
  ///   - route: The name of the route that responded, or nil for any or none.
  /// - Returns: The entries of the journal.
  /// - Throws: ``JournalMismatch``, which describes what was received instead, or `InvalidInput` if the text is
  ///   not a request.
  @discardableResult
  public func expect(
    _ count: RequestCount, _ request: String, route: String? = nil
  ) throws -> [JournalEntry] {
    try journal.expect(count, request, route: route)
  }

  /// Requires that every request matched a route.
  ///
  /// - Throws: ``JournalMismatch`` with those that did not, and their nearest routes.
  public func expectNoUnmatched() throws(JournalMismatch) {
    let unmatched = journal.unmatched
    guard unmatched.isEmpty else { throw JournalMismatch(unmatched: unmatched) }
  }

  /// The fixture's current state, or nil if it has no states.
  ///
  /// - Throws: ``ReplayError`` if the server was stopped.
  public func state() throws(ReplayError) -> String? { try server.state(of: fixture.name) }

  /// Changes the fixture's state, for instance to end a session.
  ///
  /// - Parameter state: The state: the initial one, or one that a route names.
  /// - Throws: ``ReplayError`` if there is no such state, or the server was stopped.
  public func setState(_ state: String) throws(ReplayError) { try server.setState(state, of: fixture.name) }

  /// Sets or removes the fault of a route.
  ///
  /// - Parameters:
  ///   - fault: The fault, or nil for none.
  ///   - route: The name of the route.
  /// - Throws: ``ReplayError`` if there is no such route, or the fault does not fit its response.
  public func setFault(_ fault: ReplayFault?, of route: String) throws(ReplayError) {
    try server.setFault(fault, of: route, in: fixture.name)
  }

  /// Changes how a listener treats connections.
  ///
  /// - Parameters:
  ///   - mode: The mode, or nil for that of the fixture.
  ///   - listener: The listener.
  /// - Throws: ``ReplayError`` if the machine lacks a resource, or the server was stopped.
  public func setMode(_ mode: ListenerMode?, of listener: ReplayListener) throws(ReplayError) {
    try server.setMode(mode, of: listener)
  }
}
