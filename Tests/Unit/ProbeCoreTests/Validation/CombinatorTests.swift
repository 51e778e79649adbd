import ProbeCore
import Testing

@Suite struct CombinatorTests {
  let response: ProbeResponse

  init() throws {
    response = ProbeResponse(url: try ProbeURL("https://h/"))
  }

  static func accept(_ captures: [String: String] = [:]) -> ClosureValidator {
    ClosureValidator { _ in .accepted(captures: captures) }
  }

  static func reject(_ reason: ReasonCode, _ word: String = "x") -> ClosureValidator {
    ClosureValidator { _ in .rejected(reason, expected: word, found: "not \(word)", offset: 7) }
  }

  @Test func allOf() {
    #expect(AllOf([]).validate(response).isAccepted)
    #expect(
      AllOf([Self.accept(["a": "1", "b": "1"]), Self.accept(["b": "2", "c": "2"])]).validate(response)
        .captures
        == ["a": "1", "b": "1", "c": "2"])
    let validation = AllOf([Self.accept(), Self.reject(.httpHeader), Self.reject(.bodyMismatch)])
      .validate(response)
    #expect(validation.rejection?.reason == .httpHeader)
    #expect(validation.captures.isEmpty)
  }

  @Test func anyOf() {
    #expect(AnyOf([]).validate(response).rejection?.reason == .rejected)
    #expect(
      AnyOf([Self.reject(.bodyMismatch), Self.accept(["a": "1"])]).validate(response)
        == .accepted(captures: ["a": "1"]))
    #expect(
      AnyOf([Self.reject(.bodyMismatch, "x"), Self.reject(.httpHeader, "y")]).validate(response)
        == .rejected(.bodyMismatch, expected: "x, or y", found: "not x", offset: 7))
  }

  @Test func not() {
    #expect(Not(Self.reject(.bodyMismatch)).validate(response) == .accepted)
    #expect(Not(Self.accept(["a": "1"])).validate(response).rejection?.reason == .rejected)
    #expect(Not(Not(Self.accept())).validate(response).isAccepted)
  }

  @Test(arguments: [ReasonCode.matchLimit, .bodyTooLarge])
  func undecidedResultsAreNotNegated(_ reason: ReasonCode) {
    #expect(Not(Self.reject(reason)).validate(response).rejection?.reason == reason)
    let either = AnyOf([Self.reject(.bodyMismatch), Self.reject(reason)])
    #expect(Not(either).validate(response).rejection?.reason == reason)
    let both = AllOf([Self.reject(reason), Self.reject(.bodyMismatch)])
    #expect(Not(both).validate(response).rejection?.reason == reason)
    #expect(Not(Not(Self.reject(reason))).validate(response).rejection?.reason == reason)
  }

  @Test func judgingTheStatus() {
    let judging = ClosureValidator(judges: [.status, .content]) { _ in .accepted }
    #expect(AllOf([Self.accept()]).judges == .content)
    #expect(AllOf([Self.accept(), judging]).judges == [.status, .content])
    #expect(AnyOf([judging]).judges == [.status, .content])
    #expect(Not(judging).judges == [.status, .content])
    #expect(Not(Self.accept()).judges == .content)
    #expect(SuccessfulStatus().judges == [.status, .content])
    let connection = ClosureValidator(judges: []) { _ in .accepted }
    let http = ClosureValidator(judges: .http) { _ in .accepted }
    #expect(AllOf([]).judges == [] && AnyOf([connection, connection]).judges == [])
    #expect(AllOf([connection, http, Self.accept()]).judges == [.content, .http])
    #expect(AnyOf([http, judging]).judges == [.status, .content, .http])
  }
}

@Suite struct SuccessfulStatusTests {
  static func response(_ status: Int?, location: String? = nil, redirected: Bool = false) throws
    -> ProbeResponse
  {
    let url = try ProbeURL("https://h/")
    let head = status.map {
      HTTPResponseHead(
        status: $0, fields: HeaderFields(location.map { [(name: "Location", value: $0)] } ?? []))
    }
    let hop = RedirectHop(url: url, status: 302, location: "/x", target: url.resolve("/x"))
    return ProbeResponse(url: url, head: head, redirects: redirected ? [hop] : [])
  }

  @Test(arguments: [200, 204, 299])
  func acceptsSuccess(_ status: Int) throws {
    #expect(try SuccessfulStatus().validate(Self.response(status)).isAccepted)
  }

  @Test(arguments: [100, 199, 300, 302, 304, 404, 511, 999])
  func rejectsOthers(_ status: Int) throws {
    let validation = try SuccessfulStatus().validate(Self.response(status))
    #expect(validation.rejection?.reason == .httpStatus)
  }

  @Test func theRejectionHasTheRedirectTarget() throws {
    let redirect = try SuccessfulStatus().validate(Self.response(302, location: "http://portal/\u{1B}"))
    #expect(
      redirect.rejection?.description
        == "expected a 2xx status, found 302, a redirect to \"http://portal/\\x1b\"")
    let followed = try SuccessfulStatus().validate(Self.response(200, redirected: true))
    #expect(
      followed.rejection?.description == "expected a response without a redirect, found a redirect to \"/x\"")
  }

  @Test func tcpNeedsNoStatus() throws {
    #expect(try SuccessfulStatus().validate(Self.response(nil)).isAccepted)
    let guarded = SuccessfulStatus.guarding(CombinatorTests.reject(.bodyMismatch))
    #expect(try guarded.validate(Self.response(nil)).rejection?.reason == .bodyMismatch)
  }

  /// Any response over HTTPS shows the certificate and the timings of the server.
  @Test(arguments: [200, 301, 401, 404, 500])
  func aValidatorOfTheConnectionNeedsNoSuccessOverHTTPS(_ status: Int) throws {
    let connection = ClosureValidator(judges: []) { _ in .accepted }
    for validator in [connection, AllOf([connection, Not(Not(connection))])] as [any ResponseValidator] {
      let guarded = SuccessfulStatus.guarding(validator)
      var response = try Self.response(status)
      // Without TLS, a portal may have sent it.
      #expect(guarded.validate(response).isAccepted == (status == 200))
      response.tls = TLSFacts(version: "TLSv1.3")
      #expect(guarded.validate(response).isAccepted)
      let plain = try ProbeURL("http://h/")
      response.redirects = [
        RedirectHop(url: plain, status: 302, location: "https://h/", target: response.url)
      ]
      #expect(guarded.validate(response).isAccepted == (status == 200))
    }
    let content = SuccessfulStatus.guarding(AllOf([connection, CombinatorTests.accept()]))
    var response = try Self.response(status)
    response.tls = TLSFacts(version: "TLSv1.3")
    #expect(content.validate(response).isAccepted == (status == 200))
  }

  @Test func aStatusThatOnlyPortalsHaveIsRejectedOverHTTPSToo() throws {
    var response = try Self.response(511)
    response.tls = TLSFacts(version: "TLSv1.3")
    let guarded = SuccessfulStatus.guarding(ClosureValidator(judges: []) { _ in .accepted })
    #expect(guarded.validate(response).rejection?.reason == .httpStatus)
  }

  @Test func guardsValidatorsThatDoNotJudgeTheStatus() throws {
    let guarded = SuccessfulStatus.guarding(CombinatorTests.accept(["a": "1"]))
    #expect(try guarded.validate(Self.response(500)).rejection?.reason == .httpStatus)
    #expect(try guarded.validate(Self.response(200)).captures == ["a": "1"])
    #expect(try guarded.validate(Self.response(200, redirected: true)).isAccepted)
    let judging = SuccessfulStatus.guarding(ClosureValidator(judges: [.status, .content]) { _ in .accepted })
    #expect(try judging.validate(Self.response(500)).isAccepted)
  }
}
