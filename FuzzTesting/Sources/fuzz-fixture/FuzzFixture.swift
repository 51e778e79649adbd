import FixtureReplay
@testable import SourceDocuments

/// Any bytes as a `fixture.yaml`: it is loaded, or all errors are reported, and nothing else happens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFixture(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let files = MemoryFiles([
    "f/fixture.yaml": bytes,
    "f/a.resp": Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8),
    "f/b.html": Array("<p>hello</p>".utf8),
    // The fuzzed bytes are also a response.
    "f/self": bytes,
  ])
  let loaded = FixtureLoader(files: files).load(fixture: "f/fixture.yaml")
  precondition(
    (loaded.fixture == nil) == !loaded.findings.isEmpty, "neither a fixture nor a finding, or both")
  for finding in loaded.findings {
    precondition(finding.location != nil, "a finding without a place: \(finding)")
  }
  return 0
}
