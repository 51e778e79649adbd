import FixtureCapture
import FixtureReplay
import ProbeCore
import Testing

/// Imports of `curl -i` output.
@Suite struct CurlImportTests {
  private static let portal = "http%3A%2F%2Fportal.example%2Flogin.http"

  private static func capture(_ output: String) throws(InvalidImport) -> ImportedCapture {
    try ImportedCapture(folder: [portal: output])
  }

  private static func mistakes(in folder: [String: String]) -> [String] {
    FixtureCaptureTests.mistakes { () throws(InvalidImport) in try ImportedCapture(folder: folder) }
  }

  @Test func fileNamesAndAListGiveTheURLs() throws {
    let ok = "HTTP/1.1 204 No Content\r\n\r\n"
    let capture = try ImportedCapture(folder: [
      "urls.txt":
        "\u{FEFF}# FILE URL\r\n\r\nz.bin\t https://z.example/?a=b\r\n  my file.txt   http://m.example/x \r\n",
      "z.bin": ok, "my file.txt": ok, ".hidden": "x", "folder/x": "x",
      "http%3A%2F%2Fcaptive.apple.com%2Fhotspot-detect.html": ok,
      "http%3A%2F%2Fdetectportal.firefox.com%2Fsuccess.txt.http": ok,
      "http%3A%2F%2Fportal.example%2F.txt": ok, "https%3A%2F%2Fportal.example%3A8443%2Fa%3Fb%3Dc.resp": ok,
    ])
    #expect(
      capture.exchanges.map(\.url.string) == [
        "https://z.example/?a=b", "http://m.example/x", "http://captive.apple.com/hotspot-detect.html",
        "http://detectportal.firefox.com/success.txt", "http://portal.example/",
        "https://portal.example:8443/a?b=c",
      ])
    #expect(capture.origin == "curl -i")
    #expect(
      capture.losses == [
        "how long each phase took", "the addresses of the servers", "how the connections ended",
        "the bytes that were sent", "the request; GET is assumed as its method",
        "the TLS version, cipher suite and certificates",
      ])
  }

  @Test func aResponseIsKeptAsReceived() throws {
    let text = "HTTP/1.1 200 oK\nX-a :  b\nContent-length:\t3\n\nabc"
    let capture = try Self.capture(text)
    #expect(capture.received == [text])
    #expect(capture.exchanges.first?.wire?.ending == .open)
  }

  @Test func aResponseThatEndsInItsHeadIsKeptAsReceived() throws {
    let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nServ"
    let capture = try Self.capture(text)
    #expect(capture.received == [text])
    #expect(capture.exchanges.first?.wire?.ending == .finished)
  }

  @Test func chunksAndCodingsThatCurlRemovedAreReported() throws {
    let capture = try Self.capture(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n<p>\u{F6}</p>")
    #expect(capture.received == ["HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>\u{F6}</p>"])
    #expect(capture.loss("the chunks") != nil)
    #expect(capture.loss("the content coding") != nil)
  }

  @Test func newerVersionsBecomeHTTP1() throws {
    let capture = try Self.capture("HTTP/2 103 \r\nlink: x\r\n\r\nHTTP/2 200 \r\ncontent-length: 2\r\n\r\nok")
    #expect(
      capture.received == ["HTTP/1.1 103 \r\nlink: x\r\n\r\nHTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok"])
    #expect(capture.loss("the HTTP version") != nil)
  }

  @Test func redirectsBecomeHops() throws {
    let capture = try Self.capture(
      """
      HTTP/1.1 302 Found\r
      Location: https://sso.example/a?b=c\r
      Content-Length: 120\r
      \r
      HTTP/2 307 \r
      location: ../welcome\r
      \r
      HTTP/1.1 200 OK\r
      Content-Length: 2\r
      \r
      hi
      """)
    #expect(
      capture.exchanges.map(\.url.string) == [
        "http://portal.example/login", "https://sso.example/a?b=c", "https://sso.example/welcome",
      ])
    #expect(
      capture.received == [
        "HTTP/1.1 302 Found\r\nLocation: https://sso.example/a?b=c\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 307 \r\nlocation: ../welcome\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
      ])
    #expect(
      capture.loss("the body of the redirect")
        == "the body of the redirect, which curl does not write: http://portal.example/login, https://sso.example/a?…"
    )
  }

  @Test func theLastRedirectKeepsItsBody() throws {
    let text = "HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 3\r\n\r\n<p>"
    let capture = try Self.capture(text)
    #expect(capture.received == [text])
    #expect(capture.loss("the body of the redirect") == nil)
  }

  @Test func aResponseInABodyIsPartOfTheBody() throws {
    let text = "HTTP/1.1 200 OK\r\nServer: broken\r\n\r\nHTTP/1.1 404 Not Found\r\n\r\n"
    #expect(try Self.capture(text).received == [text])
  }

  @Test func tunnelsAndEarlierAttemptsAreOmitted() throws {
    let capture = try Self.capture(
      """
      HTTP/1.1 200 Connection established\r
      \r
      HTTP/1.1 401 Unauthorized\r
      WWW-Authenticate: Basic\r
      \r
      HTTP/1.1 204 No Content\r
      \r\n
      """)
    #expect(capture.received == ["HTTP/1.1 204 No Content\r\n\r\n"])
    #expect(capture.exchanges.map(\.url.string) == ["http://portal.example/login"])
    #expect(capture.loss("tunnels") != nil)
    #expect(capture.loss("requests for authentication") != nil)
  }

  @Test func everyErrorIsReportedWithItsRemedy() {
    let ok = "HTTP/1.1 204 No Content\r\n\r\n"
    let reported = Self.mistakes(in: [
      "urls.txt":
        "nothing\nanswer.htp http://a.example/\nftp.http ftp://a.example/\na.http http://a/\na.http http://b/\n",
      "answer.http": ok, "ftp.http": ok, "a.http": ok, "notes.md": "x", "50%": ok,
      "http%3A%2F%2Fa.example%2Fsuccess.txt": ok, "http%3A%2F%2F.http": ok,
      "http%3A%2F%2Fb.example%2F": "", "http%3A%2F%2Fc.example%2F": "<html>\n",
    ])
    let line = "add a line with the file name and the URL to urls.txt"
    #expect(
      reported == [
        #"urls.txt, line 1: "nothing" is not a file name with a URL: write it as answer.http http://example.com/"#,
        #"urls.txt, line 2: there is no file "answer.htp" in the folder: did you mean answer.http?"#,
        #"urls.txt, line 3: the URL has the scheme "ftp": only http and https can be imported"#,
        #"urls.txt, line 5: the file "a.http" has two lines: remove one"#,
        #"the file "50%": its name is not a percent-encoded URL: \#(line)"#,
        #"the file "answer.http": its name is not a percent-encoded URL: \#(line)"#,
        #"the file "http%3A%2F%2F.http": its name is not a usable URL: the URL has an empty host: write it as scheme://host/path"#,
        #"the file "http%3A%2F%2Fa.example%2Fsuccess.txt": the .txt at the end of its name can be part of the URL or an extension: add .http after the URL, or \#(line)"#,
        #"the file "notes.md": its name is not a percent-encoded URL: \#(line)"#,
        #"the file "http%3A%2F%2Fb.example%2F": it is empty, because curl received no response: remove it"#,
        #"the file "http%3A%2F%2Fc.example%2F": it begins with "<html>", not with a status line: save the output of curl -i, with the header"#,
      ])
  }

  @Test func aFolderWithoutOutputsIsRejected() {
    #expect(
      Self.mistakes(in: [".hidden": "x"])
        == ["the folder contains no files: save the output of curl -i in it, one file per response"])
  }

  @Test func endlessRedirectsAreRejected() {
    let head = "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"
    #expect(
      Self.mistakes(in: [Self.portal: String(repeating: head, count: 102)])
        == [#"the file "\#(Self.portal)": it has more than 100 responses before the last one"#])
  }

  @Test func nonRecordingsAreRejected() {
    func reported(_ text: String) -> [String] {
      FixtureCaptureTests.mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }
    }
    let kinds =
      "use a .har, .warc or .arc file, compressed with gzip or not, or a folder with the output of curl -i"
    #expect(reported("") == ["the file is empty: \(kinds)"])
    #expect(reported("<html>") == ["the file is neither HAR, WARC nor ARC: \(kinds)"])
    #expect(
      reported("HTTP/1.1 200 OK\r\n\r\n") == [
        "the file is a single response, and its URL is not known: put it into a folder with a urls.txt that has a line with the file name and the URL, and name the folder"
      ])
    let absent = FixtureCaptureTests.mistakes { () throws(InvalidImport) in
      try CaptureImport.read("x", files: MemoryFiles([:]))
    }
    #expect(absent == ["there is no such file or folder"])
  }
}
