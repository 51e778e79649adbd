internal import ProbeCore
internal import SourceDocuments
import ProbePatterns

/// Reading the sections `tcp` and `icmp` of a module, and dialogs.
extension ModuleReading {
  func tcp(_ node: SourceNode) -> TCPModule? {
    guard var reader = MappingReader(node, "tcp", findings) else { return nil }
    var module = TCPModule()
    module.addresses = addresses(&reader)
    module.source = source(&reader)
    module.steps = steps(&reader)
    module.usesTLS = reader.value("tls", .goBoolean) ?? false
    if let node = reader.filled("query_response") { refuseTLSInsideTLS(node, module) }
    if let node = reader.filled("tls_config") { module.tls = tls(node) ?? ModuleTLS() }
    reader.finish()
    return module
  }

  /// Reports the steps that start TLS where the connection is inside TLS already.
  private func refuseTLSInsideTLS(_ node: SourceNode, _ module: TCPModule) {
    // Where a step is missing, its mistake has been reported.
    guard case .sequence(let nodes) = node.content, nodes.count == module.steps.count else { return }
    var isEncrypted = module.usesTLS
    for (node, step) in zip(nodes, module.steps) where step.startsTLS {
      if isEncrypted, let startTLSNode = node.entry("starttls")?.value {
        findings.add(
          "starttls: the connection is inside TLS already",
          remedy: module.usesTLS ? "remove it, or tls: true" : "remove all but the first", at: startTLSNode)
      }
      isEncrypted = true
    }
  }

  func icmp(_ node: SourceNode) -> ICMPModule? {
    guard var reader = MappingReader(node, "icmp", findings) else { return nil }
    var module = ICMPModule()
    module.addresses = addresses(&reader)
    module.source = source(&reader)
    // 65535 bytes without the headers of IPv4 and of ICMP.
    if let size = reader.value("payload_size", .integer(in: 0...65507)), size > 0 {
      module.payloadSize = size
    }
    module.forbidsFragments = reader.value("dont_fragment", .goBoolean) ?? false
    // 0 selects the system's default, which is usually that of the module.
    if let limit = reader.value("ttl", .integer(in: 0...255)), limit > 0 { module.timeToLive = limit }
    reader.finish()
    return module
  }

  func source(_ reader: inout MappingReader) -> IPAddress? {
    guard let text = reader.text("source_ip_address"), let node = reader.filled("source_ip_address") else {
      return nil
    }
    guard let address = IPAddress(text) else {
      findings.add(
        "\(Excerpt(text)) is not an IP address", remedy: "write it as 192.0.2.1 or 2001:db8::1", at: node)
      return nil
    }
    return address
  }

  func steps(_ reader: inout MappingReader) -> [TCPModule.Step] {
    let label = FieldReader<TCPModule.Step.Label>.mapping { label in
      let name = label.required("name", .goText, example: "version")
      let value = label.value("value", .goText) ?? ""
      guard let name, let node = label.filled("name") else { return nil }
      let isName =
        name.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
        && name.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || $0 == "_" }
      guard isName else {
        label.findings.add(
          "\(Excerpt(name)) cannot be the name of a label", remedy: "use letters, digits and _", at: node)
        return nil
      }
      return TCPModule.Step.Label(name: name, value: value)
    }
    let step = FieldReader<TCPModule.Step>.mapping { reader in
      var step = TCPModule.Step()
      step.expect = reader.value("expect", .goPattern)
      step.expectBytes = reader.value("expect_bytes", .goBytes)
      if step.expectBytes?.isEmpty == true { step.expectBytes = nil }
      step.labels = reader.value("labels", .list(of: label.called("a label"))) ?? []
      step.send = reader.value("send", .goBytes) ?? []
      step.startsTLS = reader.value("starttls", .goBoolean) ?? false
      if reader.filled("expect") != nil, step.expectBytes != nil, let node = reader.filled("expect_bytes") {
        reader.findings.add("expect and expect_bytes cannot be combined", remedy: "use two steps", at: node)
      }
      return step
    }
    return reader.value("query_response", .list(of: step.called("a step"))) ?? []
  }
}
