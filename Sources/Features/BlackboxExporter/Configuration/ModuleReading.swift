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
    let used = reader.required("prober", .choice(ProberKind.allCases), example: "http")
    let timeout = reader.value("timeout", .located(.goDuration))
    if let timeout, timeout.value < .zero {
      findings.warn("a negative timeout counts as none", remedy: "remove it", at: timeout.node.start)
    }
    var probe = ExporterModule.Probe.unsupported("")
    for prober in ProberKind.allCases {
      let reading = prober == used ? self : ModuleReading(findings, fileExists: fileExists)
      reading.isInUse = prober == used && !prober.isUnsupported
      let read = reading.probe(prober, &reader)
      if prober == used {
        probe = read
      } else if let used, let node = reader.filled(prober.rawValue) {
        findings.warn(
          "\(prober.rawValue) has no effect in a module with the prober \(used.rawValue)",
          remedy: "remove it", at: node.start)
      }
    }
    reader.finish()
    guard let used else { return nil }
    if used.isUnsupported {
      isInUse = true
      obstacles = []
      cannot("ProbeKit has no prober \(used.rawValue)", at: entry.keySpan.lowerBound)
    }
    return ExporterModule(
      name: entry.key, prober: used.rawValue, timeout: timeout.flatMap { $0.value > .zero ? $0.value : nil },
      probe: obstacles.isEmpty ? probe : .unsupported(obstacles.joined(separator: "; ")),
      text: ConfigurationText(entry.value).text)
  }

  /// Reads the section of a prober; without it, its settings have their defaults.
  private func probe(_ prober: ProberKind, _ module: inout MappingReader) -> ExporterModule.Probe {
    func section<Settings>(
      _ settings: Settings, _ read: (inout Settings, inout MappingReader) -> Void
    ) -> Settings {
      var settings = settings
      module.section(prober.rawValue, into: &settings, read)
      return settings
    }
    switch prober {
    case .http: return .http(section(HTTPModule(), http))
    case .tcp: return .tcp(section(TCPModule(), tcp))
    case .icmp: return .icmp(section(ICMPModule(), icmp))
    case .dns: return .dns(section(DNSModule(), dns))
    case .grpc, .unix, .websocket:
      _ = section(HTTPModule()) { unused, reader in check(prober, &unused, &reader) }
      return .unsupported("")
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
  func check(file: Located<String>?) {
    guard let file, !fileExists(file.value) else { return }
    warn(
      "the file \(Excerpt(file.value)) does not exist", remedy: "probes fail until it does",
      at: file.node.start)
  }
}

/// A prober of blackbox_exporter.
enum ProberKind: String, CaseIterable {
  case http, tcp, icmp, dns, grpc, unix, websocket

  var isUnsupported: Bool { [.grpc, .unix, .websocket].contains(self) }
}

extension SourceNode {
  /// The offset in the file.
  var start: Int { span.lowerBound }
}

extension MappingReader {
  /// The value of a key; nil if the key is missing or has no value, or if there is an error.
  mutating func value<Value>(_ key: String, _ reader: FieldReader<Value>) -> Value? {
    guard let entry = entry(key), entry.value.scalar?.isNull != true else { return nil }
    return reader.value(of: entry.value, field: entry.fieldName, findings)
  }

  /// Reads the value of a key into a setting, which remains as it is if there is none, or an error.
  mutating func read<Value>(_ key: String, into setting: inout Value, _ reader: FieldReader<Value>) {
    if let value = value(key, reader) { setting = value }
  }

  /// Reads a mapping into settings, which remain as they are if there is none.
  mutating func section<Settings>(
    _ key: String, into settings: inout Settings, _ read: (inout Settings, inout MappingReader) -> Void
  ) {
    guard let node = filled(key), var section = MappingReader(node, key, findings) else { return }
    read(&settings, &section)
    section.finish()
  }

  /// A text with its location; nil if the key is missing, or if the text is empty.
  mutating func locatedText(_ key: String) -> Located<String>? {
    guard let text = value(key, .located(.goText)), !text.value.isEmpty else { return nil }
    return text
  }

  /// A text; nil if the key is missing, or if the text is empty.
  mutating func text(_ key: String) -> String? { locatedText(key)?.value }

  /// One of several texts; any other one is an error, and then the result is nil.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - known: The texts.
  ///   - kind: What they are, with an article, for messages.
  /// - Returns: The text with its location.
  mutating func choice(_ key: String, among known: [String], _ kind: String) -> Located<String>? {
    guard let text = locatedText(key) else { return nil }
    if known.contains(text.value) { return text }
    findings.add(
      "\(Excerpt(text.value)) is not \(kind)", remedy: "use \(known.alternatives)", at: text.node)
    return nil
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
    let second = used.map(\.node).sorted { $0.start < $1.start }[1]
    findings.add(
      "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "") cannot be combined",
      remedy: "keep one of them", at: second)
  }
}

/// Reading the sections of unsupported probers, in which a mistake is an error nevertheless.
extension ModuleReading {
  private func check(_ prober: ProberKind, _ unused: inout HTTPModule, _ reader: inout MappingReader) {
    switch prober {
    case .grpc:
      _ = reader.text("service")
      addresses(&unused.addresses, &reader)
      _ = reader.value("tls", .goBoolean)
      _ = reader.value("metadata", .dictionary(of: .list(of: .goText)))
      reader.section("tls_config", into: &unused.tls, tls)
    case .unix:
      _ = reader.value("query_response", Self.steps)
      _ = reader.value("tls", .goBoolean)
      reader.section("tls_config", into: &unused.tls, tls)
    default:
      _ = reader.value("query_response", Self.steps)
      addresses(&unused.addresses, &reader)
      _ = reader.entry("headers")
      reader.section("http_config", into: &unused) { unused, reader in
        client(&unused, &reader)
        _ = reader.value("follow_redirects", .goBoolean)
      }
    }
  }
}
