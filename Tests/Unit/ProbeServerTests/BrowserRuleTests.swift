import ProbeBase
import TestRequirements
import TestSupport
import Testing

@testable import ProbeServer

/// Requests that pages of other sites make a browser send.
@Suite(.patience(minutes: 2)) struct BrowserRuleTests {
  private static func isAccepted(_ method: String, _ fields: [String], host: String = "localhost:9115") throws
    -> Bool
  {
    let lines = ["\(method) /probe HTTP/1.1", "Host: \(host)"] + fields
    let request = try HTTPRoutesTests.request(lines.joined(separator: "\r\n") + "\r\n\r\n")
    let failure = BrowserRule.failure(of: request)
    #expect(failure.map { $0.status == 403 } ?? true)
    return failure == nil
  }

  /// Fields of a request, and whether they are accepted with GET and with POST.
  static let requests: [(fields: [String], get: Bool, post: Bool)] = [
    // Programs.
    ([], true, true), (["User-Agent: Prometheus/3.0.0"], true, true),
    // The page itself, an address that a person entered, and values that this version of the specification lacks.
    (["Sec-Fetch-Site: same-origin"], true, true), (["Sec-Fetch-Site: none"], true, true),
    (["Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], true, true),
    (["Sec-Fetch-Site: future"], true, true),
    // Behind a proxy that changes the Host field, only the browser knows.
    (["Sec-Fetch-Site: same-origin", "Origin: https://probes.example"], true, true),
    // Other sites.
    (["Sec-Fetch-Site: cross-site"], false, false), (["sec-fetch-site:CROSS-SITE"], false, false),
    (["Sec-Fetch-Site: cross-site;x=1"], false, false),
    (["Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"], false, false),
    (["Sec-Fetch-Site: same-origin, cross-site"], false, false),
    (["Sec-Fetch-Site: cross-site", "Origin: http://localhost:9115"], false, false),
    (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], true, false),
    (
      [
        "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document",
        "Sec-Fetch-User: ?1", "Origin: null",
      ], true, false
    ),
    (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"], false, false),
    (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Dest: document"], false, false),
    (["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: document"], false, false),
    (
      ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document, image"], false,
      false
    ),
    // Another origin of the same site, such as another port of this machine.
    (["Sec-Fetch-Site: same-site"], false, false),
    (["Sec-Fetch-Site: same-site", "Origin: http://localhost:9115"], false, false),
    (["Sec-Fetch-Site: none, same-site"], false, false),
    (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"], true, false),
    (["Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"], false, false),
    // A page of the service itself may have others fetched in advance.
    (["Sec-Fetch-Site: same-origin", "Sec-Purpose: prefetch"], true, true),
    (["Purpose: prefetch"], false, false), (["Sec-Purpose: prefetch"], false, false),
    // Without Fetch Metadata, as to an address without https in the local network.
    (["Origin: http://localhost:9115"], true, true), (["Origin: HTTP://LOCALHOST:9115"], true, true),
    (["Origin: https://evil.example"], false, false), (["Origin: null"], false, false),
    (["Origin: http://localhost"], false, false), (["Origin: http://localhost:3000"], false, false),
    (["Origin: http://localhost:9115.evil.example"], false, false),
    (["Origin: http://evil.example/@localhost:9115"], false, false),
    (["Origin: http://localhost:9115@evil.example"], false, false),
    (["Origin: localhost:9115"], false, false),
    (["Origin: ftp://localhost:9115"], false, false),
    (["Origin: http://localhost:9115", "Origin: null"], false, false),
    (["Sec-Fetch-Site: none", "Origin: chrome-extension://a"], true, false),
    (["Sec-Fetch-Site: future", "Origin: https://evil.example"], false, false),
    (["Referer: https://evil.example/page"], true, false), (["Referer: http://localhost:9115/"], true, true),
    (["Origin: http://localhost:9115", "Referer: https://evil.example/page"], true, true),
  ]

  @Test(arguments: requests)
  func requestsOfOtherSitesAreRefused(_ fields: [String], _ get: Bool, _ post: Bool) throws {
    for method in ["GET", "HEAD"] {
      #expect(try Self.isAccepted(method, fields) == get, "\(method)")
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"] {
      #expect(try Self.isAccepted(method, fields) == post, "\(method)")
    }
  }

  @Test(arguments: [
    "iframe", "frame", "embed", "object", "fencedframe", "image", "script", "empty", "worker", "",
  ])
  func onlyDocumentsAreNavigatedTo(_ destination: String) throws {
    let fields = [
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: \(destination)",
    ]
    #expect(try !Self.isAccepted("GET", fields))
  }

  /// What a browser fetches in advance for a page of another origin is not for a person; Chromium calls its site none.
  @Test(
    arguments: [
      "Sec-Purpose: prefetch", "Sec-Purpose: prefetch;prerender", "Sec-Purpose: prefetch;anonymous-client-ip",
      "SEC-PURPOSE: Prefetch", "Sec-Purpose: future", "Purpose: prefetch", "X-Purpose: preview",
      "X-Moz: prefetch",
    ], ["cross-site", "same-site", "none"])
  func nothingIsFetchedInAdvance(_ field: String, _ site: String) throws {
    let fields = ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
    for method in ["GET", "HEAD"] {
      #expect(try Self.isAccepted(method, fields))
      #expect(try !Self.isAccepted(method, fields + [field]), "\(method)")
      #expect(try !Self.isAccepted(method, [field] + fields + ["Sec-Fetch-User: ?1"]), "\(method)")
    }
  }

  /// The default port, with and without it.
  @Test(arguments: [
    ("probes.example", "https://probes.example", true), ("probes.example", "http://probes.example", true),
    ("probes.example:443", "https://probes.example", true),
    ("probes.example", "https://probes.example:443", true),
    ("probes.example:80", "https://probes.example", false),
    ("probes.example:8080", "http://probes.example", false),
    ("[::1]:9115", "http://[::1]:9115", true), ("[::1]", "http://[::1]", true),
    ("[::1]:1", "http://[::1]:2", false),
  ])
  func originsAreCompared(_ host: String, _ origin: String, _ isAccepted: Bool) throws {
    #expect(try Self.isAccepted("POST", ["Origin: \(origin)"], host: host) == isAccepted)
  }

  /// The refusal precedes the content of the request, and the check of a password or token.
  @Test func aRefusalPrecedesAdmission() {
    var options = HTTPServiceOptions()
    options.admission = { _ in HTTPServiceFailure(status: 401, "no token") }
    var connection = ServiceConnection(options, now: .now)
    let head =
      "POST /-/reload HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 5\r\n\r\n"
    guard case .send(let bytes)? = connection.received(Array(head.utf8), now: .now).first else {
      Issue.record("nothing was sent")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
  }
}

/// A real browser.
extension BrowserRuleTests {
  /// What a page of another site can make Chromium request.
  private static let page = """
    <!doctype html><body><script>
    const at = name => 'http://localhost:PORT/' + name;
    const done = [];
    function load(tag, key, name) {
      const element = document.createElement(tag);
      element[key] = at(name);
      done.push(new Promise(end => { element.onload = element.onerror = end; setTimeout(end, 5000); }));
      document.body.append(element);
    }
    load('img', 'src', 'image'); load('script', 'src', 'script'); load('iframe', 'src', 'frame');
    load('embed', 'src', 'embed'); load('object', 'data', 'object');
    const style = document.createElement('link');
    style.rel = 'stylesheet'; style.href = at('style'); document.head.append(style);
    for (const rel of ['prefetch', 'prerender']) {
      const link = document.createElement('link');
      link.rel = rel; link.href = at('link-' + rel); document.head.append(link);
    }
    const rules = document.createElement('script');
    rules.type = 'speculationrules';
    rules.textContent = JSON.stringify({
      prefetch: [{ urls: [at('rule-prefetch')], eagerness: 'immediate' }],
      prerender: [{ urls: [at('rule-prerender')], eagerness: 'immediate' }] });
    document.head.append(rules);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT'])
      for (const mode of ['no-cors', 'cors'])
        if (mode == 'cors' || method != 'PUT')
          done.push(fetch(at('fetch-' + mode + '-' + method), { method, mode }).catch(() => 0));
    navigator.sendBeacon(at('beacon'), 'x');
    const inner = document.createElement('iframe');
    inner.name = 'inner'; document.body.append(inner);
    const form = document.createElement('form');
    form.method = 'post'; form.action = at('form'); form.target = 'inner'; document.body.append(form);
    form.submit();
    done.push(new Promise(end => { inner.onload = end; setTimeout(end, 5000); }));
    Promise.all(done).then(() => { location.href = at('navigation'); });
    </script></body>
    """

  /// Requests of a page reach the service in one way only: if it leaves for the service, as a link does.
  ///
  /// To a browser, 127.0.0.1 is another site than localhost, and another port is another origin of the same site.
  @Test(.heavy, arguments: ["127.0.0.1", "localhost"])
  func aPageOfAnotherOriginCanOnlyNavigate(_ host: String) async throws {
    guard try await onAThread({ try runProgram("sh", ["-c", "command -v chromium >/dev/null"]) }) == 0 else {
      try skipTest("chromium is not installed")
    }
    let (accepted, refused) = (Guarded<Set<String>>([]), Guarded(0))
    var options = HTTPServiceOptions()
    options.failureResponse = { failure in
      if failure.status == 403 { refused.withLock { $0 += 1 } }
      return failure.plainResponse
    }
    let service = try HTTPService(on: ServiceClient.loopback, options: options) {
      request throws(HTTPServiceFailure) in
      let name = request.path.joined()
      if name != "favicon.ico" { _ = accepted.withLock { $0.insert(name) } }
      return HTTPServiceResponse(contentType: "text/html", body: Array("<p>here</p>".utf8))
    }
    defer { service.stop() }
    let page = Self.page.replacing("PORT", with: "\(try ServiceClient.port(of: service.address))")
    let site = try HTTPService(on: ServiceClient.loopback) { _ throws(HTTPServiceFailure) in
      HTTPServiceResponse(contentType: "text/html", body: Array(page.utf8))
    }
    defer { site.stop() }
    let folder = try TemporaryFolder([:])
    let script = """
      timeout 300 chromium --headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
      --user-data-dir='\(folder.path(of: "profile"))' --remote-debugging-port=0 'http://\(host):\(try ServiceClient.port(of: site.address))/' \
      >/dev/null 2>&1 & browser=$!
      for turn in $(seq 3000); do test -e '\(folder.path(of: "end"))' && break; sleep 0.1; done
      kill $browser; wait $browser; rm -rf '\(folder.path(of: "profile"))'
      """
    async let run = onAThread { try runProgram("sh", ["-c", script]) }
    let deadline = ContinuousClock.now + .seconds(280)
    while !accepted.withLock({ $0.contains("navigation") }), ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(50))
    }
    try folder.write("end", "")
    _ = try await run
    #expect(accepted.withLock { $0 } == ["navigation"])
    // Each kind of request above, besides preflights.
    #expect(refused.withLock { $0 } >= 13)
  }
}
