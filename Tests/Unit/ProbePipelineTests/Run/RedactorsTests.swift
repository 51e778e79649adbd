import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// The redactors that the probes of a run share.
@Suite struct RedactorsTests {
  private func request(token: String?) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL("https://h.example/"))
    if let token { request.http.credentials = .bearer(Secret(token)) }
    return request
  }

  private func probes(_ tokens: [String?]) throws -> [PlannedProbe] {
    try tokens.map {
      PlannedProbe(url: "https://h.example/", request: try request(token: $0), validator: BodyIs(text: ""))
    }
  }

  @Test func everyRequestHasARedactorForAllSecrets() throws {
    let redactors = Redactors(try probes([nil, "s3cret-1!", "s3cret-2!"]))
    for token in [nil, "s3cret-1!"] {
      let redactor = redactors.redactor(for: try request(token: token))
      #expect(redactor?.redacted("s3cret-1! s3cret-2! s3cret-3!") == "<redacted> <redacted> s3cret-3!")
    }
    #expect(Redactors(try probes([nil])).redactor(for: try request(token: nil)) == nil)
  }

  @Test func withTooManySecretsRequestsRedactOnlyTheirOwn() throws {
    let tokens = (0..<10_000).map { "s3cret-\($0)!" }
    let redactors = Redactors(try probes(tokens))
    for _ in 0..<2 {
      for number in 0..<100 {
        let redactor = redactors.redactor(for: try request(token: tokens[number]))
        #expect(
          redactor?.redacted("s3cret-\(number)! s3cret-\(number + 1)!") == "<redacted> s3cret-\(number + 1)!")
      }
    }
    #expect(redactors.redactor(for: try request(token: nil)) == nil)
  }

  /// Creating a redactor for a long secret is slow; applying it to a short response is not.
  @Test func creatingALongRedactorOrRedactingALongBodyTakesLong() throws {
    let token = String(repeating: "a1.", count: 1000)
    let redactors = Redactors(try probes([token]))
    let request = try request(token: token)
    let short = try fakeResponse("https://h.example/", body: "ok")
    #expect(redactors.takeLong(for: request, short))
    _ = redactors.redactor(for: request)
    #expect(!redactors.takeLong(for: request, short))
    let long = try fakeResponse("https://h.example/", body: String(repeating: "x", count: 20_000))
    #expect(redactors.takeLong(for: request, long))
    #expect(!Redactors(try probes([nil])).takeLong(for: try self.request(token: nil), long))
  }
}
