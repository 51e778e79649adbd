internal import ProbeCore
internal import SourceDocuments

/// Reads a module of blackbox.yml, and collects its unsupported settings.
final class ModuleReading {
  let findings: SourceFindings
  private let fileExists: (String) -> Bool
  /// Whether the values being read have an effect, so that warnings apply.
  private var isInUse = true
  /// The reasons why ProbeKit cannot run the module; empty if it can.
  private var obstacles: [String] = []

  init(_ findings: SourceFindings, fileExists: @escaping (String) -> Bool) {
    (self.findings, self.fileExists) = (findings, fileExists)
  }

  /// Reads a module; nil if it cannot be used at all.
  func module(_ entry: SourceEntry) -> ExporterModule? {
    let name = "the module \(Excerpt(entry.key))"
    guard entry.value.scalar?.isNull != true else {
      findings.add(
        "\(name) has no prober", remedy: "add a line such as prober: http", at: entry.keySpan.lowerBound)
      return nil
    }
    guard var reader = MappingReader(entry.value, name, findings) else { return nil }
    let prober = reader.required("prober", .choice(ProberKind.allCases), example: "http")
    var timeout = reader.value("timeout", .goDuration)
    if let given = timeout, given <= .zero {
      timeout = nil
      if given < .zero, let node = reader.filled("timeout") {
        findings.warn("a negative timeout counts as none", remedy: "remove it", at: node.span.lowerBound)
      }
    }
    var probes: [ProberKind: ExporterModule.Probe] = [:]
    for section in ProberKind.allCases {
      let reading = section == prober ? self : ModuleReading(findings, fileExists: fileExists)
      reading.isInUse = section == prober && !section.isUnsupported
      guard let node = reader.filled(section.rawValue) else { continue }
      probes[section] = reading.probe(section, node)
      if let prober, section != prober {
        findings.warn(
          "\(section.rawValue) has no effect in a module with the prober \(prober.rawValue)",
          remedy: "remove it",
          at: node.span.lowerBound)
      }
    }
    reader.finish()
    guard let prober else { return nil }
    if prober.isUnsupported {
      isInUse = true
      obstacles = []
      cannot("ProbeKit has no prober \(prober.rawValue)", at: entry.keySpan.lowerBound)
    }
    let probe = probes[prober] ?? Self.usual(prober)
    return ExporterModule(
      name: entry.key, prober: prober.rawValue, timeout: timeout,
      probe: obstacles.isEmpty ? probe : .unsupported(obstacles.joined(separator: "; ")),
      text: ConfigurationText(entry.value).text)
  }

  private func probe(_ prober: ProberKind, _ node: SourceNode) -> ExporterModule.Probe? {
    switch prober {
    case .http: http(node).map { .http($0) }
    case .tcp: tcp(node).map { .tcp($0) }
    case .icmp: icmp(node).map { .icmp($0) }
    case .dns: dns(node).map { .dns($0) }
    case .grpc: grpc(node)
    case .unix: unix(node)
    case .websocket: websocket(node)
    }
  }

  /// The probe of a module without settings.
  private static func usual(_ prober: ProberKind) -> ExporterModule.Probe {
    switch prober {
    case .http: .http(HTTPModule())
    case .tcp: .tcp(TCPModule())
    case .icmp: .icmp(ICMPModule())
    case .dns: .dns(DNSModule())
    case .grpc, .unix, .websocket: .unsupported("")
    }
  }

  /// Records a reason why ProbeKit cannot run the module.
  func cannot(_ reason: String, at offset: Int) {
    obstacles.append(reason)
    warn(reason, remedy: "requests for this module get status 400", at: offset)
  }

  /// Adds a warning about the values of the module, if they have an effect.
  func warn(_ message: String, remedy: String? = nil, at offset: Int) {
    if isInUse { findings.warn(message, remedy: remedy, at: offset) }
  }

  /// Warns if a file does not exist.
  func check(file: String?, at node: SourceNode?) {
    guard let file, let node, !fileExists(file) else { return }
    warn(
      "the file \(Excerpt(file)) does not exist", remedy: "probes fail until it does",
      at: node.span.lowerBound)
  }
}

/// A prober of blackbox_exporter.
enum ProberKind: String, CaseIterable {
  case http, tcp, icmp, dns, grpc, unix, websocket

  var isUnsupported: Bool { [.grpc, .unix, .websocket].contains(self) }
}

extension MappingReader {
  /// The value of a key; nil if the key is missing or has no value, or if there is an error.
  mutating func value<Value>(_ key: String, _ reader: FieldReader<Value>) -> Value? {
    guard let entry = entry(key), entry.value.scalar?.isNull != true else { return nil }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// A text; nil if the key is missing, or if the text is empty.
  mutating func text(_ key: String) -> String? {
    value(key, .goText).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The node of a key; nil if the key is missing or has no value.
  mutating func filled(_ key: String) -> SourceNode? {
    guard let entry = entry(key), entry.value.scalar?.isNull != true else { return nil }
    return entry.value
  }

  /// Reports that more than one of some keys has a value.
  mutating func allowOne(of keys: [String]) {
    var used: [(key: String, node: SourceNode)] = []
    for key in keys {
      if let node = filled(key), node.scalar?.text.isEmpty != true { used.append((key, node)) }
    }
    guard used.count > 1 else { return }
    let names = used.map(\.key)
    let second = used.map(\.node).sorted { $0.span.lowerBound < $1.span.lowerBound }[1]
    findings.add(
      "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "") cannot be combined",
      remedy: "keep one of them", at: second)
  }
}

/// Reading the sections of unsupported probers, in which a mistake is an error nevertheless.
extension ModuleReading {
  func grpc(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "grpc", findings) else { return nil }
    _ = reader.text("service")
    _ = addresses(&reader)
    _ = reader.value("tls", .goBoolean)
    _ = reader.value("metadata", .dictionary(of: .list(of: .goText)))
    if let node = reader.filled("tls_config") { _ = tls(node) }
    reader.finish()
    return .unsupported("")
  }

  func unix(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "unix", findings) else { return nil }
    _ = steps(&reader)
    _ = reader.value("tls", .goBoolean)
    if let node = reader.filled("tls_config") { _ = tls(node) }
    reader.finish()
    return .unsupported("")
  }

  func websocket(_ node: SourceNode) -> ExporterModule.Probe? {
    guard var reader = MappingReader(node, "websocket", findings) else { return nil }
    _ = steps(&reader)
    _ = addresses(&reader)
    _ = reader.entry("headers")
    if let node = reader.filled("http_config"), var client = MappingReader(node, "http_config", findings) {
      var unused = HTTPModule()
      readClient(&unused, &client)
      _ = client.value("follow_redirects", .goBoolean)
      client.finish()
    }
    reader.finish()
    return .unsupported("")
  }
}
