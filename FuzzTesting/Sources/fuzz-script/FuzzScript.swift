import FuzzSupport
@testable import PortalScripts
import ProbeCore

/// Any bytes as the scripts of a page, with a NUL between them: they are read in bounded work, the same each time.
///
/// Behind a byte 2, the bytes are the choices of a generator of scripts.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScript(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if bytes.first == 2 { bytes = ScriptGenerator.script(bytes.dropFirst()) }
  var found = ScriptFindings()
  checkWork(of: count) { found = findings(bytes) }
  precondition(found == findings(bytes), "other findings the second time")
  precondition(found.redirects.count <= ScriptFindings.maximumCount, "\(found.redirects.count) redirects")
  precondition(found.requests.count <= ScriptFindings.maximumCount, "\(found.requests.count) requests")
  for redirect in found.redirects {
    // Each invalid byte is replaced by three bytes.
    let length = redirect.reference.utf8.count
    precondition(length <= 3 * ScriptFindings.maximumReferenceLength, "a reference of \(length) bytes")
    precondition(
      !redirect.reference.utf8.contains(ScriptText.hole), "a mark in \(Array(redirect.reference.utf8))")
    guard let target = probedURL.resolve(redirect.reference) else { continue }
    precondition(target != probedURL, "a redirect to the page itself")
  }
  return 0
}

/// The elements that the scripts can look up.
private let elements = [
  PageElement(tag: "form", attributes: ["id": "f", "name": "f", "action": "/in", "method": "post"]),
  PageElement(tag: "input", attributes: ["id": "u", "name": "u", "value": "/login", "data-url": "/data"]),
  PageElement(tag: "a", attributes: ["id": "a", "href": "http://portal.example/"]),
]

private func findings(_ bytes: [UInt8]) -> ScriptFindings {
  var reader = ScriptReader(page: probedURL, elements: elements)
  let moments: [ScriptReader.Moment] = [.loading, .loading, .loaded, .event]
  for (index, script) in bytes.split(separator: 0).enumerated() {
    reader.read(script, when: moments[index % moments.count])
  }
  return reader.finish(findingRequests: true)
}
