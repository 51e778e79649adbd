import ProbeCore
import Testing

@testable import ProbePipeline

/// The redactors that the probes of a run share.
@Suite struct RedactorsTests {
  private func request(token: String?) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL("https://h.example/"))
    if let token { request.http.credentials = .bearer(Secret(token)) }
    return request
  }

  @Test func requestsGetTheRedactorOfTheirOwnSecrets() throws {
    let redactors = Redactors()
    for _ in 0..<2 {
      for number in 0..<100 {
        let redactor = redactors.redactor(for: try request(token: "s3cret-\(number)!"))
        #expect(
          redactor?.text("s3cret-\(number)! s3cret-\(number + 1)!") == "<redacted> s3cret-\(number + 1)!")
      }
    }
    #expect(redactors.redactor(for: try request(token: nil)) == nil)
  }

  /// To make a redactor of a long secret takes long, to use it on a short answer does not.
  @Test func onlyTheFirstAnswerOfALongSecretIsDoneAside() throws {
    let redactors = Redactors()
    let request = try request(token: String(repeating: "a1.", count: 1000))
    let short = try answer("https://h.example/", body: "ok")
    #expect(redactors.takeLong(for: request, short))
    _ = redactors.redactor(for: request)
    #expect(!redactors.takeLong(for: request, short))
    let long = try answer("https://h.example/", body: String(repeating: "x", count: 20_000))
    #expect(redactors.takeLong(for: request, long))
    #expect(!redactors.takeLong(for: try self.request(token: nil), long))
  }
}
