import LoopbackServer
import TestSupport
import Testing

/// Numbers: no number of a response ends the process, whatever its size, from the head to the report.
@Suite struct NumberAttackTests {
  /// Responses, each with one number instead of `§`; a body is a login page unless it is given.
  private static let responses: [(head: String, body: String?)] = {
    let fields = [
      "Content-Length: §", "Age: §", "Retry-After: §", "Keep-Alive: timeout=§, max=§", "Refresh: §;url=/x",
      "Set-Cookie: a=b; Max-Age=§; Expires=Sun, 06 Nov § 08:49:37 GMT", "Alt-Svc: h3=\":§\"; ma=§",
      "Strict-Transport-Security: max-age=§", "Content-Range: bytes §-§/§", "Cache-Control: max-age=§",
      "Date: Sun, 06 Nov § 08:§:37 GMT", "Expires: Sun, § Nov 1994 08:49:37 GMT",
      "Location: http://127.0.0.1:§/", "Content-Type: text/html; charset=§",
    ]
    var responses: [(head: String, body: String?)] = []
    for status in ["200 OK", "302 Found"] {
      responses += fields.map { ("HTTP/1.1 \(status)\r\n\($0)", nil) }
    }
    responses += ["HTTP/1.1 § OK", "HTTP/§ 200 OK", "HTTP/1.§ 200 OK"].map { ($0, nil) }
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked"
    responses += ["§\r\nhello", "5;x=§\r\nhello\r\n§\r\n"].map { (chunked, $0) }
    responses += [
      "<meta http-equiv=refresh content=\"§;url=/§\"><a href='http://h:§/'>log in</a>&#§;&#x§;",
      "<form action='http://h:§/'><input name=p type=password maxlength=§ size=§><table colspan=§>",
      "<script>for (k in {length: 'a'.indexOf('b') - §}) location = '/' + k + [1, 2].length - §</script>",
      "<script>location = '/x'.substr(-§, §) + 'a,b'.split(',').slice(§)[§]; a.length = §</script>",
      "<WISPAccessGatewayParam><Redirect><MessageType>§</MessageType><ResponseCode>§</ResponseCode>"
        + "<LoginURL>http://127.0.0.1:§/</LoginURL></Redirect></WISPAccessGatewayParam>",
    ].map { ("HTTP/1.1 200 OK\r\nContent-Type: text/html", $0) }
    responses.append(
      (
        "HTTP/1.1 200 OK\r\nContent-Type: application/captive+json",
        "{\"captive\":false,\"seconds-remaining\":§,\"bytes-remaining\":§}"
      ))
    return responses
  }()

  @Test(arguments: ["text --verbose", "json"])
  func extremeNumbersOfResponsesEndNoProcess(_ format: String) async throws {
    let page = "<title>Login</title><form action=/l><input type=password></form>log in to the network"
    // Longer than the limit of a body, so that its length decides how much more is read.
    let longPage = page + String(repeating: " log in", count: 12_000)
    let numbers = ExtremeNumbers.all
    let count = Self.responses.count * numbers.count
    let server = try LoopbackServer { connection in
      let request = try connection.readRequest()
      let target = request.split(separator: UInt8(ascii: " ")).dropFirst().first ?? []
      let index = Int(String(decoding: target.dropFirst(), as: UTF8.self)) ?? 0
      let (response, number) = (
        Self.responses[index / numbers.count % Self.responses.count], numbers[index % numbers.count]
      )
      let text =
        "\(response.head)\r\n\r\n\(response.body ?? (response.head.contains("Length") ? longPage : page))"
      try connection.send(text.replacing("§", with: number))
    }
    let folder = try TemporaryFolder()
    let urls = (0..<count).map { "      - \(server.url("/\($0)"))\n" }.joined()
    let file = try folder.write(
      "numbers.yaml",
      """
      version: 1
      name: numbers
      policy: { https: optional }
      sets:
        - name: numbers
          validate: { contains: nothing of the kind }
          urls:
      \(urls)
      """)
    let process = try Spawned("exec \"$0\" run --all --format \(format) '\(file)'")
    let end = try await process.end()
    #expect(end.signal == nil, "signal \(end.signal ?? 0)")
    #expect([1, 2].contains(end.code), "\(end.errors.suffix(2000))")
    #expect(!end.output.isEmpty)
  }
}
