package import ProbeCore
package import ProbeJSON

/// A line from a plugin.
package enum PluginLine: Hashable, Sendable {
  /// The first line, which describes the plugin.
  case hello(PluginHello)
  /// The response to the message with this ID.
  case response(Int, PluginResponse)
}

/// The first line of a plugin.
package struct PluginHello: Hashable, Sendable {
  package var kind: PluginProgram.Kind
  /// The name that it reports; nil for none.
  package var name: String?
  /// Examples for the conformance kit.
  package var examples: [Example] = []

  /// Options, with an accepted and a rejected response; each value as JSON.
  package struct Example: Hashable, Sendable {
    /// The options; nil for none.
    package var options: JSONValue?
    /// A response that a validator with the options accepts.
    package var accepts: JSONValue?
    /// A response that it rejects.
    package var rejects: JSONValue?
    /// The request of a transport.
    package var request: JSONValue?
  }
}

/// A line that violates the protocol.
package struct PluginProtocolError: Error, Hashable, Sendable {
  /// The error, as a clause such as `wrote a line that is not JSON`.
  package let message: String

  init(_ message: String) {
    self.message = message
  }
}

extension PluginLine {
  /// Parses a line.
  ///
  /// Members that the protocol does not define are ignored, so that later versions can add some.
  ///
  /// - Parameter line: The line, without its line break.
  /// - Throws: ``PluginProtocolError``.
  package init(_ line: [UInt8]) throws(PluginProtocolError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONParser(maximumLength: line.count).value(of: line)
    } catch {
      throw PluginProtocolError("wrote a line that is not JSON: \(Excerpt(line, limit: 100))")
    }
    guard case .object = value else {
      throw PluginProtocolError("wrote a line that is not an object: \(Excerpt(line, limit: 100))")
    }
    if let version = value["hello"] {
      self = .hello(try PluginHello(value, version: version))
    } else {
      guard let id = value["id"]?.wholeNumber else {
        throw PluginProtocolError(
          "wrote a line without hello and without a whole number as id: \(Excerpt(line, limit: 100))")
      }
      self = .response(id, try PluginResponse(value))
    }
  }
}

extension PluginHello {
  fileprivate init(_ value: JSONValue, version: JSONValue) throws(PluginProtocolError) {
    guard version == .integer(1) else {
      throw PluginProtocolError("speaks version \(version.text) of the protocol, not 1")
    }
    guard let word = value["kind"]?.string, let kind = PluginProgram.Kind(rawValue: word) else {
      throw PluginProtocolError("has no kind validator or transport in its hello")
    }
    self.init(kind: kind, name: value["name"]?.string)
    switch value["examples"] {
    case nil, .null?: break
    case .array(let examples)?:
      for (index, example) in examples.enumerated() {
        guard case .object = example else {
          throw PluginProtocolError("has an example \(index + 1) that is not an object")
        }
        self.examples.append(
          Example(
            options: example["options"], accepts: example["accepts"], rejects: example["rejects"],
            request: example["request"]))
      }
    default: throw PluginProtocolError("has examples that are not a list")
    }
  }
}

extension PluginResponse {
  private static let maximumCaptures = 100

  /// Parses a response, which has one of `accepted`, `response`, `failure` and `error`.
  fileprivate init(_ value: JSONValue) throws(PluginProtocolError) {
    if let error = value["error"] {
      self = .none(.pluginFailed, "it reports an error: \(Self.text(error))")
    } else if let accepted = value["accepted"] {
      guard let accepted = accepted.bool else {
        throw PluginProtocolError("answered with an accepted that is not true or false")
      }
      if accepted {
        self = .accepted(try Self.captures(value["captures"]))
      } else {
        self = .rejected(try Self.reason(value["reason"]), value["detail"].map(Self.text) ?? "")
      }
    } else if let response = value["response"] {
      self = .response(try ProbeResponse(message: response))
    } else if let failure = value["failure"] {
      let partial = try failure["response"].map { response throws(PluginProtocolError) in
        try ProbeResponse(message: response)
      }
      self = .failed(
        ProbeFailure(
          try Self.reason(failure["reason"]) ?? .transportFailure, failure["detail"].map(Self.text) ?? "",
          partial: partial))
    } else {
      throw PluginProtocolError("gave an answer without accepted, response, failure and error")
    }
  }

  /// A human-readable text: at most 500 bytes, safe to print.
  private static func text(_ value: JSONValue) -> String {
    let text = value.string ?? value.text
    guard text.utf8.count > 500 else { return text.escapedForDisplay }
    return (String(decoding: text.utf8.prefix(500), as: UTF8.self) + "…").escapedForDisplay
  }

  private static func reason(_ value: JSONValue?) throws(PluginProtocolError) -> ReasonCode? {
    guard let value, value != .null else { return nil }
    guard let text = value.string, let reason = try? ReasonCode(written: text) else {
      throw PluginProtocolError(
        "gave a reason that is not a reason code such as office.maintenance: \(Excerpt(value.text))")
    }
    guard reason.traits.isDisjoint(with: [.byCaller, .thisMachine]) else {
      throw PluginProtocolError("gave the reason \(reason), which is ProbeKit's own")
    }
    return reason
  }

  static func captures(_ value: JSONValue?) throws(PluginProtocolError) -> [String: String] {
    guard let value, value != .null else { return [:] }
    guard case .object(let members) = value else {
      throw PluginProtocolError("gave captures that are not an object")
    }
    guard members.count <= maximumCaptures else {
      throw PluginProtocolError("gave more than \(maximumCaptures) captures")
    }
    var captures: [String: String] = [:]
    for member in members { captures[member.name] = member.value.string ?? member.value.text }
    return captures
  }
}
