import HTTPValidators
import ProbeCore
import Testing

@Suite struct RedirectValidatorTests {
  private func response(
    from url: String = "http://shop.example/old", to location: String?, status: Int = 302
  ) throws -> ProbeResponse {
    let head = HTTPResponseHead(status: status, fields: location.map { ["Location": $0] } ?? [:])
    let url = try ProbeURL(url)
    return ProbeResponse(
      url: url, head: head, redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
  }

  @Test(arguments: [
    ("http://shop.example/new", "/new", true),
    ("http://shop.example/new", "http://SHOP.example:80/new", true),
    ("http://shop.example/new", "/new?a", false), ("http://shop.example/new", "/new/", false),
    ("http://shop.example/new", "https://shop.example/new", false),
    ("http://shop.example/new", "/new#top", true), ("http://shop.example/new#top", "/new", false),
    ("http://shop.example", "/", true), ("/new", "new", true), ("/new", "http://shop.example/new", true),
    ("/new", "http://other.example/new", false), ("/new", "https://shop.example/new", false),
    ("/new?a=1", "/new?a=1", true), ("/new?a=1", "/new?a=2", false), ("/items/*", "/items/7?x", true),
    ("/items/*", "http://other.example/items/7", false), ("/items/*", "/item/7", false),
    ("https://*", "https://other.example/", true), ("https://*", "http://shop.example/", false),
    ("https://*.example/in", "https://a.example/in", true),
    ("https://*.example/in", "https://a.example/in?x", false),
    ("https://*.example/in", "https://a.example/in#x", true),
    // Only the star is special.
    ("https://a.example/(in|out)*", "https://a.example/in", false),
    ("*", "ftp://other.example/", true), ("https", "https://shop.example/", true),
    ("https", "https://www.shop.example/x", true), ("https", "https://other.example/", false),
    ("https", "http://shop.example/", false),
  ])
  func targets(_ target: String, _ location: String, _ isAccepted: Bool) throws {
    let validation = try RedirectValidator(to: target).validate(response(to: location))
    #expect(validation.isAccepted == isAccepted)
    #expect(validation.rejection?.reason == (isAccepted ? nil : .httpRedirect))
  }

  @Test func theStatusOfTheRedirectIsCompared() throws {
    let validator = try RedirectValidator(
      options: .init(to: "https", status: .init(statuses: ["301", "308"])))
    #expect(try validator.validate(response(to: "https://shop.example/", status: 308)).isAccepted)
    let rejection = try validator.validate(response(to: "https://shop.example/", status: 302)).rejection
    #expect(rejection?.reason == .httpStatus)
    #expect(
      rejection?.description
        == "expected a redirect to the same host over https with status 301 or 308, "
        + "found a redirect with status 302 to \"https://shop.example/\"")
  }

  @Test func theRejectionDescribesTheResponse() throws {
    let validator = try RedirectValidator(to: "/new")
    #expect(
      try validator.validate(response(to: nil, status: 200)).rejection?.description
        == "expected a redirect to \"/new\" on the same origin, found 200")
    #expect(
      try validator.validate(response(to: nil)).rejection?.found
        == "a redirect with status 302 without a Location")
    #expect(
      try validator.validate(ProbeResponse(url: ProbeURL("tcp://a.example:1"))).rejection?.found
        == "a response without an HTTP status")
  }

  @Test func theLastOfSeveralIsJudged() throws {
    var response = ProbeResponse.example(body: "the new page")
    let (first, second) = (try ProbeURL("http://a.example/"), try ProbeURL("https://a.example/"))
    response.redirects = [
      RedirectHop(url: first, status: 301, location: "https://a.example/", target: second),
      RedirectHop(url: second, status: 302, location: "/new", target: second.resolve("/new")),
    ]
    #expect(try RedirectValidator(to: "/new").validate(response).isAccepted)
    #expect(try !RedirectValidator(to: "https://a.example/").validate(response).isAccepted)
  }

  @Test func itJudgesTheStatus() throws {
    let guarded = SuccessfulStatus.guarding(try RedirectValidator(to: "/new"))
    #expect(try guarded.validate(response(to: "/new")).isAccepted)
  }
}
