import FixtureReplay
import ProbeServer
import ProbeCore
import SourceDocuments

extension HTTPServiceRequest {
  /// Reads the body as a JSON object with known keys.
  ///
  /// - Parameters:
  ///   - name: The name of the body in messages.
  ///   - reader: Reads the object.
  /// - Returns: The value.
  /// - Throws: ``HTTPServiceFault`` with the first error and its line and column.
  func read<Value>(_ name: String, _ reader: FieldReader<Value>) throws(HTTPServiceFault) -> Value {
    let findings = SourceFindings(SourceFile(path: "body", bytes: body))
    let value = SourceDocument.read(findings).flatMap { reader.document($0, called: name, findings) }
    if findings.isEmpty, let value { return value }
    let finding = findings.all.first
    let location = finding?.location.map { "line \($0.line), column \($0.column): " } ?? ""
    throw HTTPServiceFault(
      status: 400, "\(location)\(finding?.message ?? "the body is empty")",
      fix: finding?.remedy ?? "send a JSON object")
  }
}

/// The body that sets a state.
struct ControlState {
  let state: String
  /// The client that has the state, or nil for all clients.
  let client: String?

  static var reader: FieldReader<ControlState> {
    .mapping { reader in
      let state = reader.required("state", .line, example: "open")
      let client = reader.optional("client", .line)
      return state.map { ControlState(state: $0, client: client) }
    }
  }
}

/// The body that sets the mode of a listener.
struct ControlMode {
  let mode: ListenerMode

  static var reader: FieldReader<ControlMode> {
    .mapping { reader in
      reader.required("mode", FieldReader<ListenerMode>.choice, example: "refused").map {
        ControlMode(mode: $0)
      }
    }
  }
}

/// The body that turns all faults off or on.
struct ControlFaults {
  let enabled: Bool

  static var reader: FieldReader<ControlFaults> {
    .mapping { reader in
      reader.required("enabled", .boolean, example: "false").map { ControlFaults(enabled: $0) }
    }
  }
}
