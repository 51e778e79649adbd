import ProbeCore

/// A value that an earlier step of a set captured, as a later step uses it: `${steps.STEP.CAPTURE}`.
struct StepReference: Hashable {
  /// The name of the step.
  let step: String
  /// The name of the capture.
  let capture: String
}

extension StepReference: CustomStringConvertible {
  var description: String { ReferenceSyntax.step + "\(step).\(capture)" + ReferenceSyntax.closing }
}

extension StepReference {
  /// Whether a text can be the name of a step.
  static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F || $0 == 0x2D }
  }

  /// The references in a text, in their order.
  static func all(in text: String) -> [StepReference] {
    var found: [StepReference] = []
    _ = replace(in: text) { reference in
      found.append(reference)
      return ""
    }
    return found
  }

  /// A text with each reference replaced; everything else, even what only resembles a reference, stays as it is.
  static func replace<Failure: Error>(
    in text: String, by value: (StepReference) throws(Failure) -> String
  ) throws(Failure) -> String {
    guard text.contains("steps.") else { return text }
    var result = ""
    var rest = text[...]
    while let (range, reference) = first(in: rest) {
      result += rest[..<range.lowerBound]
      result += try value(reference)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func first(in text: Substring) -> (Range<Substring.Index>, StepReference)? {
    var start = text.startIndex
    while let (opening, end) = nextOpening(in: text[start...]) {
      if let closing = text[opening.upperBound...].firstRange(of: end) {
        let names = text[opening.upperBound..<closing.lowerBound]
          .split(separator: ".", omittingEmptySubsequences: false)
        if names.count == 2, names.allSatisfy({ isName($0) }) {
          let reference = StepReference(step: String(names[0]), capture: String(names[1]))
          return (opening.lowerBound..<closing.upperBound, reference)
        }
      }
      start = opening.upperBound
    }
    return nil
  }

  private static func nextOpening(in text: Substring) -> (Range<Substring.Index>, end: String)? {
    ReferenceSyntax.stepEnds.compactMap { bracket in
      text.firstRange(of: bracket.start).map { ($0, bracket.end) }
    }.min { $0.0.lowerBound < $1.0.lowerBound }
  }
}

extension ProbeRequest {
  /// The values of earlier steps that it uses.
  var stepReferences: [StepReference] {
    var found: [StepReference] = []
    _ = filled { reference in
      found.append(reference)
      return ""
    }
    return StepReference.all(in: url.string) + found
  }

  /// The URL with the values of earlier steps in its path and its query, percent-encoded.
  ///
  /// - Parameter value: The value of a reference.
  /// - Returns: The text of the URL, which may be too long for one.
  /// - Throws: Any error that `value` throws.
  func filledURL<Failure: Error>(_ value: (StepReference) throws(Failure) -> String) throws(Failure) -> String
  {
    try StepReference.replace(in: url.string) { reference throws(Failure) in
      try value(reference).percentEncoded
    }
  }

  /// The request with the values of earlier steps in header fields, in the body and in the credentials.
  ///
  /// A value is percent-encoded in a body that is a form; in a JSON body it is escaped as a part of a string, and in
  /// an XML body as a part of a text or an attribute. So it cannot change the structure around it.
  ///
  /// - Parameter value: The value of a reference.
  /// - Returns: The request.
  /// - Throws: Any error that `value` throws.
  func filled<Failure: Error>(_ value: (StepReference) throws(Failure) -> String) throws(Failure)
    -> ProbeRequest
  {
    var request = self
    if http.headers.contains(where: { ReferenceSyntax.mayReferToStep($0.value) }) {
      var fields: [(name: String, value: String)] = []
      for field in http.headers {
        fields.append((field.name, try StepReference.replace(in: field.value, by: value)))
      }
      request.http.headers = HeaderFields(fields)
    }
    if let body = http.body, body.firstRange(of: Array(ReferenceSyntax.step.utf8)) != nil {
      let encode = bodyEncoding
      let text = try StepReference.replace(in: String(decoding: body, as: UTF8.self)) {
        reference throws(Failure) in
        encode(try value(reference))
      }
      request.http.body = Array(text.utf8)
    }
    request.http.credentials = try http.credentials?.changingSecrets { text throws(Failure) in
      try StepReference.replace(in: text, by: value)
    }
    return request
  }

  /// How a value is written in the body.
  private var bodyEncoding: (String) -> String {
    let type = (http.headers["Content-Type"] ?? "").lowercased()
    if type.hasPrefix("application/x-www-form-urlencoded") { return \.percentEncoded }
    if type.contains("json") { return \.escapedInJSON }
    // RFC 7303 §4: text/xml, application/xml, and every type that ends in +xml.
    let name = type.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    return name.hasSuffix("/xml") || name.hasSuffix("+xml") ? \.escapedInXML : { $0 }
  }
}

extension String {
  /// The text as it can be in a request: as it is, percent-encoded, or escaped in JSON or XML.
  var formsInRequests: Set<String> { [self, percentEncoded, escapedInJSON, escapedInXML] }

  /// The text as a part of a text or an attribute (XML 1.0 §2.4, §3.3.3).
  fileprivate var escapedInXML: String {
    // A plain tab in an attribute would become a space.
    withMarkupReferences(and: ["'": "&apos;", "\t": "&#9;"])
  }

  /// The text with every byte percent-encoded that is not unreserved (RFC 3986 §2.3).
  fileprivate var percentEncoded: String { utf8.percentEncodedComponent() }
}
