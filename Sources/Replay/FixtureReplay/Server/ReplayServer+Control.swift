import ProbeCore

/// States.
extension ReplayServer {
  /// The fixtures, in the order in which their routes are tried.
  public var fixtures: [Fixture] { read(\.fixtures) }

  /// The states of each fixture that has any, and the one that each client is in.
  ///
  /// - Throws: ``ReplayError`` if the server was stopped.
  package func states() throws(ReplayError) -> [FixtureStates] {
    try perform { _ in { .success($0.world.states) } }
  }

  /// The current state of a fixture.
  ///
  /// - Parameters:
  ///   - fixture: The fixture's name; if several fixtures have it, the first one is used.
  ///   - client: The client's address or the value of its cookie, whichever identifies clients in the
  ///     fixture; nil for a new client, and in a fixture with one state for all clients.
  /// - Returns: The state, or nil if the fixture has no states.
  /// - Throws: ``ReplayError`` if there is no such fixture or client, or the server was stopped.
  public func state(of fixture: String, client: String? = nil) throws(ReplayError) -> String? {
    try perform { _ in
      { loop in
        Result { () throws(ReplayError) in try loop.world.state(ofFixture: fixture, client: client) }
      }
    }
  }

  /// Changes the state of a fixture, as `goto` of a route does; the limits of the state start again.
  ///
  /// - Parameters:
  ///   - state: The state: the initial one, or one that a route names.
  ///   - fixture: The fixture's name.
  ///   - client: The client's address or the value of its cookie; nil for all clients, including future ones.
  /// - Throws: ``ReplayError`` if there is no such fixture, state or client, or the server was stopped.
  public func setState(
    _ state: String, of fixture: String, client: String? = nil
  ) throws(ReplayError) {
    try perform { _ in
      { loop in
        Result { () throws(ReplayError) in
          try loop.world.set(state: state, ofFixture: fixture, client: client)
        }
      }
    }
  }

  /// Resets a fixture to its initial state.
  ///
  /// Without a client, also resets the hit counts that determine which requests get a fault.
  ///
  /// - Parameters:
  ///   - fixture: The fixture's name, or nil for all fixtures.
  ///   - client: The client whose state alone is reset, or nil for all clients.
  /// - Throws: ``ReplayError`` if there is no such fixture or client, or the server was stopped.
  public func resetState(of fixture: String? = nil, client: String? = nil) throws(ReplayError) {
    try perform { _ in
      { loop in
        Result { () throws(ReplayError) in try loop.world.reset(fixture: fixture, client: client) }
      }
    }
  }
}

/// Fixtures and listeners.
extension ReplayServer {
  /// Replaces all fixtures, starting from their initial states.
  ///
  /// Connections stay open unless the mode of their listener changes. Modes given by ``setMode(_:of:)`` stay;
  /// faults given by ``setFault(_:of:in:)`` end with their fixtures.
  ///
  /// - Throws: ``ReplayError`` if the fixtures are in conflict, the machine lacks a resource, or the server
  ///   was stopped; then the fixtures remain unchanged.
  public func replace(with fixtures: [Fixture]) throws(ReplayError) {
    if let conflict = fixtures.conflict { throw conflict }
    try perform { state in
      state.fixtures = fixtures
      let modes = state.modes
      return { loop in
        Result { () throws(ReplayError) in
          try loop.setModes(modes)
          let injectsFaults = loop.world.injectsFaults
          loop.world = ReplayWorld(fixtures, clock: loop.world.clock)
          loop.world.injectsFaults = injectsFaults
          loop.names?.replace(with: fixtures)
        }
      }
    }
  }

  /// Replaces one fixture, which starts from its initial state; the others keep theirs.
  ///
  /// - Parameters:
  ///   - name: The name of the fixture to replace.
  ///   - fixture: The new fixture, which may have another name.
  /// - Throws: ``ReplayError`` if there is no such fixture, or in the cases of ``replace(with:)``.
  public func replace(_ name: String, with fixture: Fixture) throws(ReplayError) {
    try perform { (state) throws(ReplayError) in
      let index = try state.fixtures.index(of: name)
      state.fixtures[index] = fixture
      if let conflict = state.fixtures.conflict { throw conflict }
      let (fixtures, modes) = (state.fixtures, state.modes)
      return { loop in
        Result { () throws(ReplayError) in
          try loop.setModes(modes)
          loop.world.replace(fixture: index, with: fixture)
          loop.names?.replace(with: fixtures)
        }
      }
    }
  }

  /// The current mode of a listener: the one set by ``setMode(_:of:)``, or else that of the fixtures.
  public func mode(of listener: ReplayListener) -> ListenerMode { read { $0.mode(of: listener) } }

  /// Changes how a listener treats connections, regardless of the fixtures.
  ///
  /// Its port stays the same. Its open connections end: ``ListenerMode/refused`` and ``ListenerMode/rst`` reset
  /// them, and with ``ListenerMode/hold`` and ``ListenerMode/blackhole`` they receive nothing more.
  ///
  /// - Parameters:
  ///   - mode: The mode, or nil for that of the fixtures.
  ///   - listener: The listener.
  /// - Throws: ``ReplayError`` if the machine lacks a resource, or the server was stopped.
  public func setMode(_ mode: ListenerMode?, of listener: ReplayListener) throws(ReplayError) {
    try perform { state in
      state.givenModes[listener] = mode
      let modes = state.modes
      return { loop in Result { () throws(ReplayError) in try loop.setModes(modes) } }
    }
  }
}

/// Faults.
extension ReplayServer {
  /// Enables or disables the faults of all routes; initially they are enabled.
  ///
  /// - Throws: ``ReplayError`` if the server was stopped.
  package func setInjectsFaults(_ injectsFaults: Bool) throws(ReplayError) {
    try perform { _ in { .success($0.world.injectsFaults = injectsFaults) } }
  }

  /// Whether the faults of the routes are enabled.
  ///
  /// - Throws: ``ReplayError`` if the server was stopped.
  package func injectsFaults() throws(ReplayError) -> Bool {
    try perform { _ in { .success($0.world.injectsFaults) } }
  }

  /// The fault of a route: the one set by ``setFault(_:of:in:)``, or else that of its fixture.
  ///
  /// - Parameters:
  ///   - route: The name of the route.
  ///   - fixture: The name of its fixture.
  /// - Returns: The fault, or nil if there is none.
  /// - Throws: ``ReplayError`` if there is no such fixture or route, or the server was stopped.
  public func fault(of route: String, in fixture: String) throws(ReplayError) -> ReplayFault? {
    try perform { (state) throws(ReplayError) in
      let (fixture, route) = try state.fixtures.indices(of: route, in: fixture)
      return { .success($0.world.fault(ofRoute: route, inFixture: fixture)) }
    }
  }

  /// Sets or removes the fault of a route.
  ///
  /// ``ReplayFault/requests`` counts the hits of the route from this call on.
  ///
  /// - Parameters:
  ///   - fault: The fault, or nil for none.
  ///   - route: The name of the route.
  ///   - fixture: The name of its fixture.
  /// - Throws: ``ReplayError`` if there is no such fixture or route, the fault does not fit the route's
  ///   response, or the server was stopped.
  public func setFault(
    _ fault: ReplayFault?, of route: String, in fixture: String
  ) throws(ReplayError) {
    try perform { (state) throws(ReplayError) in
      let (index, route) = try state.fixtures.indices(of: route, in: fixture)
      if let fault, let fittingError = state.fixtures[index].routes[route].fittingError(of: fault) {
        throw ReplayError(.unfitFault, fittingError.message, remedy: fittingError.remedy)
      }
      return { .success($0.world.setFault(fault, ofRoute: route, inFixture: index)) }
    }
  }

  /// Resets the fault of a route to that of its fixture.
  ///
  /// - Parameters:
  ///   - route: The name of the route.
  ///   - fixture: The name of its fixture.
  /// - Throws: ``ReplayError`` if there is no such fixture or route, or the server was stopped.
  public func resetFault(of route: String, in fixture: String) throws(ReplayError) {
    try perform { (state) throws(ReplayError) in
      let (index, route) = try state.fixtures.indices(of: route, in: fixture)
      let fault = state.fixtures[index].routes[route].fault
      return { .success($0.world.setFault(fault, ofRoute: route, inFixture: index)) }
    }
  }
}

extension ReplayServer.State {
  var modes: [ReplayListener: ListenerMode] {
    Dictionary(uniqueKeysWithValues: ReplayListener.allCases.map { ($0, mode(of: $0)) })
  }
}

extension [Fixture] {
  var modes: [ReplayListener: ListenerMode] {
    Dictionary(uniqueKeysWithValues: ReplayListener.allCases.map { ($0, mode(of: $0)) })
  }

  fileprivate func index(of name: String) throws(ReplayError) -> Int {
    if let index = firstIndex(where: { $0.name == name }) { return index }
    throw ReplayError(
      .notFound, "there is no fixture \(Excerpt(name))", among: map(\.name))
  }

  fileprivate func indices(
    of route: String, in fixture: String
  ) throws(ReplayError) -> (fixture: Int, route: Int) {
    let index = try index(of: fixture)
    let routes = self[index].routes.map(\.id)
    if let position = routes.firstIndex(of: route) { return (index, position) }
    throw ReplayError(
      .notFound, "the fixture \(fixture.escapedForDisplay) has no route \(Excerpt(route))", among: routes)
  }
}

extension ReplayError {
  /// An error about an unknown name.
  fileprivate init(_ code: Code, _ message: String, among known: [String]) {
    let shown = known.prefix(20).map(\.escapedForDisplay).alternatives
    self.init(code, message, remedy: known.isEmpty ? "it has none" : "use \(shown)")
  }
}
