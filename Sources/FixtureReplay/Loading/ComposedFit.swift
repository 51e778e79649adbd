import ProbeCore
import SourceDocuments

/// Whether the parts of a response that is put together fit each other.
struct ComposedFit {
  private let response: ComposedResponse
  private let draft: RouteDraft
  private let isToHead: Bool

  init(_ response: ComposedResponse, _ draft: RouteDraft, isToHead: Bool) {
    self.response = response
    self.draft = draft
    self.isToHead = isToHead
  }

  /// Tells what does not fit.
  func check(_ findings: SourceFindings) {
    let place = draft.place("respond", "headers")
    let exactly = "use send with a .resp for what no server should say"
    if !response.allowsContent, !response.body.isEmpty {
      findings.add(
        "an answer with status \(response.status) has no body (RFC 9110 §6.4.1)", remedy: exactly,
        at: draft.place("respond", "body"))
      return
    }
    let lengths = response.values(of: "Content-Length")
    let codings = response.values(of: "Transfer-Encoding")
    let fault = draft.route.fault?.kind
    if !lengths.isEmpty, !codings.isEmpty {
      findings.add("Content-Length and Transfer-Encoding exclude each other", remedy: exactly, at: place)
    } else if lengths.count > 1 {
      findings.add("Content-Length stands \(lengths.count) times", remedy: exactly, at: place)
    } else if let length = lengths.first {
      checkLength(length, fault, at: place, findings)
    } else if codings.last?.lowercased().hasSuffix("chunked") == true, fault != .chunkCut, fault != .chunkBad,
      response.allowsContent, !isToHead, let mistake = WireAnswer.mistake(inChunks: response.body[...])
    {
      findings.add(
        "Transfer-Encoding says chunked, and the body \(mistake)",
        remedy: "write the chunks into the file, or leave Transfer-Encoding out", at: place)
    }
  }

  private func checkLength(
    _ text: String, _ fault: ReplayFault.Kind?, at place: Int, _ findings: SourceFindings
  ) {
    if fault == .chunkCut || fault == .chunkBad {
      findings.add("an answer in chunks has no Content-Length", remedy: "leave it out", at: place)
      return
    }
    // An answer to HEAD announces what one to GET would have, and so does a 304 (RFC 9110 §8.6).
    guard fault != .shortBody, !isToHead, response.status != 304, Int(text) != response.body.count else {
      return
    }
    findings.add(
      "Content-Length is \(Excerpt(text)), and the body has \(response.body.count.bytes)",
      remedy: "leave Content-Length out, use the fault short-body, or use send with a .resp", at: place)
  }
}

extension ComposedResponse {
  /// How many bytes its head has at most; the usual reason phrases are not longer.
  var longestHead: Int {
    let line = "HTTP/\(version) \(status) \(reason ?? String(repeating: "x", count: 32))\r\n"
    let length = values(of: "Content-Length").isEmpty ? "Content-Length: \(body.count)\r\n" : ""
    let fields = headers.reduce(0) { $0 + $1.utf8.count + 2 }
    return line.utf8.count + fields + length.utf8.count + 2
  }

  /// The values of a header field, in any case.
  func values(of name: String) -> [String] {
    headers.compactMap { line in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name.lowercased() else {
        return nil
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      return String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }
}
