import FixtureReplay
import FoundationEssentials
import ProbeCore
import ProbeJSON
import ProbeServer
import SourceDocuments

/// A fixture that a client sends: `fixture.yaml`, and the files it names.
///
/// The file system is never read: the fixture can name only files that were sent with it.
struct ControlFixture {
  /// The maximum size of a request with a fixture, in bytes.
  static let maximumBody = 32 << 20

  /// The folder of the sent files, which exists in memory only.
  private static let folder = "sent"

  /// The fixture, or the findings.
  let loaded: LoadedFixture

  /// Reads a fixture from a request: a YAML document or, as JSON, `{"fixture": TEXT, "files": {NAME: FILE}}`,
  /// where a file is a text or `{"base64": TEXT}`.
  ///
  /// - Throws: ``HTTPServiceFailure`` if the request is not in this form.
  init(_ request: HTTPServiceRequest) throws(HTTPServiceFailure) {
    let type = request.field("content-type")?.prefix { $0 != ";" }.lowercased()
    let isJSON = type?.trimmingPrefix(" ") == "application/json"
    let (document, files) = isJSON ? try Self.parts(of: request.body) : (request.body, [:])
    var contents = ["\(Self.folder)/\(FixtureLoader.fileName)": document]
    for (name, bytes) in files { contents["\(Self.folder)/\(name)"] = bytes }
    var loaded = FixtureLoader(files: MemoryFiles(contents))
      .load(fixture: "\(Self.folder)/\(FixtureLoader.fileName)")
    // The client knows its files, but not the folder.
    for index in loaded.findings.indices { loaded.findings[index].path = FixtureLoader.fileName }
    for index in loaded.warnings.indices { loaded.warnings[index].path = FixtureLoader.fileName }
    self.loaded = loaded
  }

  private static func parts(
    of body: [UInt8]
  ) throws(HTTPServiceFailure) -> (document: [UInt8], files: [String: [UInt8]]) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONParser(maximumLength: maximumBody).value(of: body)
    } catch {
      throw HTTPServiceFailure(
        status: 400, "the body is not JSON: \(error.description.escapedForDisplay)",
        remedy: "see RFC 8259, or send YAML with Content-Type: application/yaml")
    }
    guard case .object(let members) = value, let document = value["fixture"]?.string else {
      throw form("the body has no string \"fixture\"")
    }
    for member in members where member.name != "fixture" && member.name != "files" {
      throw form("the body has an unknown key \(Excerpt(member.name))")
    }
    var files: [String: [UInt8]] = [:]
    switch value["files"] {
    case .object(let members)?:
      for member in members { files[try name(member.name)] = try bytes(of: member) }
    case nil: break
    default: throw form("\"files\" is not an object")
    }
    return (Array(document.utf8), files)
  }

  /// A name inside the fixture's folder.
  private static func name(_ name: String) throws(HTTPServiceFailure) -> String {
    let parts = name.parts(between: "/")
    guard !parts.contains(where: { ["", ".", ".."].contains($0) }), !name.utf8.contains(0),
      name != FixtureLoader.fileName
    else {
      throw HTTPServiceFailure(
        status: 400, "the file \(Excerpt(name, limit: 200)) is outside the fixture's folder",
        remedy: "use names such as login.html or pages/login.html")
    }
    return name
  }

  private static func bytes(of member: JSONValue.Member) throws(HTTPServiceFailure) -> [UInt8] {
    if let text = member.value.string { return Array(text.utf8) }
    guard case .object(let parts) = member.value, parts.count == 1,
      let text = member.value["base64"]?.string, let data = Data(base64Encoded: text)
    else { throw form("the file \(Excerpt(member.name)) is neither a text nor base64") }
    return Array(data)
  }

  private static func form(_ message: String) -> HTTPServiceFailure {
    HTTPServiceFailure(
      status: 400, message,
      remedy: #"send {"fixture": "version: 1…", "files": {"login.html": "…", "logo.png": {"base64": "…"}}}"#)
  }
}

extension HTTPServiceRequest {
  /// Reads the body as a JSON object with known keys.
  ///
  /// - Parameters:
  ///   - name: The name of the body in messages.
  ///   - reader: Reads the object.
  /// - Returns: The value.
  /// - Throws: ``HTTPServiceFailure`` with the first error and its line and column.
  func read<Value>(_ name: String, _ reader: FieldReader<Value>) throws(HTTPServiceFailure) -> Value {
    let findings = SourceFindings(SourceFile(path: "body", bytes: body))
    let value = SourceDocument.read(findings).flatMap { reader.document($0, called: name, findings) }
    if findings.isEmpty, let value { return value }
    let finding = findings.all.first
    let location = finding?.location.map { "line \($0.line), column \($0.column): " } ?? ""
    throw HTTPServiceFailure(
      status: 400, "\(location)\(finding?.message ?? "the body is empty")",
      remedy: finding?.remedy ?? "send a JSON object")
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

extension FieldReader where Value == ListenerMode {
  /// The body that sets the mode of a listener.
  static var controlMode: FieldReader { .mapping { $0.required("mode", .choice, example: "refused") } }
}

extension FieldReader where Value == Bool {
  /// The body that turns all faults off or on.
  static var controlFaults: FieldReader {
    .mapping { $0.required("enabled", .boolean, example: "false") }
  }
}
