import ProbeCore
import ProbeJSON
package import ProbeBase
import ProbeSystem

/// The parts of a JSON report of `run` or `check` that are compared; unknown fields are ignored.
package struct SavedReport: Hashable, Sendable {
  /// The result of a pipeline.
  struct Run: Hashable, Sendable {
    var pipeline: String
    var verdict: String
    var loginURL: String?
    var sets: [Set]
  }

  /// The result of a set.
  struct Set: Hashable, Sendable {
    var name: String
    /// Nil if the set was not finished.
    var isMet: Bool?
    var probes: [Probe]
  }

  /// The result of a probe.
  struct Probe: Hashable, Sendable {
    var url: String
    var name: String?
    var outcome: String
    var reason: String?
    var certificateEnd: String?
    var certificateIssuer: String?
    /// The total time in seconds.
    var seconds: Double?
  }

  /// The results, in the order of the file.
  var runs: [Run]

  /// The maximum size of a report, in bytes.
  package static let limit = 256 << 20

  /// Reads a report: an object, or an array of them.
  ///
  /// - Throws: `InvalidInput` if it is not JSON, with the line and column, or not a report.
  package init(_ bytes: [UInt8]) throws(InvalidInput) {
    let value: JSONValue
    do {
      value = try JSONParser(maximumLength: Self.limit).value(of: bytes)
    } catch {
      throw InvalidInput(
        "it is not JSON: \(error.description.escapedForDisplay)",
        remedy: "write the report with run --format json")
    }
    guard case .array(let elements) = value else {
      runs = [try Self.run(value, "the report")]
      return
    }
    runs = []
    for (index, element) in elements.enumerated() {
      runs.append(try Self.run(element, "item \(index + 1) of the report"))
    }
  }
}

extension SavedReport {
  private static func run(_ value: JSONValue, _ location: String) throws(InvalidInput) -> Run {
    guard case .object = value, let verdict = value["verdict"]?.string,
      let pipeline = value["pipeline"]?.string
    else {
      throw InvalidInput(
        "\(location) is not one of run or check: it has no pipeline with a verdict",
        remedy: "write it with run --format json")
    }
    guard value["schema"]?.wholeNumber == 1 else {
      throw InvalidInput(
        "\(location) has a schema other than 1", remedy: "use the version of the program that wrote it")
    }
    return Run(
      pipeline: pipeline, verdict: verdict, loginURL: value["portal"]?["loginURL"]?.string,
      sets: try items(value, "set", location, set))
  }

  private static func set(_ value: JSONValue, _ location: String) throws(InvalidInput) -> Set {
    Set(
      name: try text(value, "name", location), isMet: value["met"]?.bool,
      probes: try items(value, "probe", location, probe))
  }

  private static func probe(_ value: JSONValue, _ location: String) throws(InvalidInput) -> Probe {
    let certificate = value["certificate"]
    return Probe(
      url: try text(value, "url", location), name: value["name"]?.string,
      outcome: try text(value, "outcome", location),
      reason: value["reason"]?.string, certificateEnd: certificate?["notAfter"]?.string,
      certificateIssuer: certificate?["issuer"]?.string, seconds: value["timings"]?["total"]?.double)
  }

  /// The items of an array, whose key is the plural of their name.
  private static func items<Item>(
    _ value: JSONValue, _ name: String, _ location: String,
    _ item: (JSONValue, _ location: String) throws(InvalidInput) -> Item
  ) throws(InvalidInput) -> [Item] {
    guard case .array(let elements)? = value["\(name)s"] else {
      throw InvalidInput("\(location) has no array \(name)s", remedy: "write it with run --format json")
    }
    var items: [Item] = []
    for (index, element) in elements.enumerated() {
      items.append(try item(element, "\(name) \(index + 1) of \(location)"))
    }
    return items
  }

  private static func text(
    _ value: JSONValue, _ key: String, _ location: String
  ) throws(InvalidInput) -> String {
    guard let text = value[key]?.string else {
      throw InvalidInput("\(location) has no string \(key)", remedy: "write it with run --format json")
    }
    return text
  }
}
