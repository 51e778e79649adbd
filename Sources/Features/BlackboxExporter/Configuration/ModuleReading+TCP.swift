internal import ProbeCore
internal import SourceDocuments
import ProbePatterns

/// Reading the sections `tcp` and `icmp` of a module, and what other sections have too.
extension ModuleReading {
  func tcp(_ module: inout TCPModule, _ reader: inout MappingReader) {
    addresses(&module.addresses, &reader)
    source(&module.source, &reader)
    reader.read("query_response", into: &module.steps, Self.steps)
    reader.read("tls", into: &module.usesTLS, .goBoolean)
    if let node = reader.filled("query_response") { refuseTLSInsideTLS(node, module) }
    reader.section("tls_config", into: &module.tls, tls)
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

  func icmp(_ module: inout ICMPModule, _ reader: inout MappingReader) {
    addresses(&module.addresses, &reader)
    source(&module.source, &reader)
    // 65535 bytes without the headers of IPv4 and of ICMP.
    if let size = reader.value("payload_size", .integer(in: 0...65507)), size > 0 { module.ping.size = size }
    reader.read("dont_fragment", into: &module.ping.forbidsFragments, .goBoolean)
    // 0 selects the system's default, which is usually that of the module.
    if let limit = reader.value("ttl", .integer(in: 0...255)), limit > 0 { module.ping.hopLimit = limit }
  }

  /// The preferred address family, and whether the other one is used if there is none.
  func addresses(_ choice: inout AddressChoice, _ reader: inout MappingReader) {
    if let family = reader.locatedText("preferred_ip_protocol"), family.value != "ip6" {
      choice.preferred = .v4
      if family.value != "ip4" {
        warn("\(Excerpt(family.value)) counts as ip4", remedy: "use ip4 or ip6", at: family.node.start)
      }
    }
    reader.read("ip_protocol_fallback", into: &choice.fallsBack, .goBoolean)
  }

  /// The local address to send from.
  func source(_ source: inout IPAddress?, _ reader: inout MappingReader) {
    guard let text = reader.locatedText("source_ip_address") else { return }
    source = IPAddress(text.value)
    guard source == nil else { return }
    findings.add(
      "\(Excerpt(text.value)) is not an IP address", remedy: "write it as 192.0.2.1 or 2001:db8::1",
      at: text.node)
  }

  /// The steps of a dialog.
  static var steps: FieldReader<[TCPModule.Step]> {
    let step = FieldReader<TCPModule.Step>.mapping { reader in
      var step = TCPModule.Step()
      step.expect = reader.value("expect", .goPattern)
      step.expectBytes = reader.value("expect_bytes", .goBytes)
      if step.expectBytes?.isEmpty == true { step.expectBytes = nil }
      reader.read("labels", into: &step.labels, .list(of: label.called("a label")))
      reader.read("send", into: &step.send, .goBytes)
      reader.read("starttls", into: &step.startsTLS, .goBoolean)
      if reader.filled("expect") != nil, step.expectBytes != nil, let node = reader.filled("expect_bytes") {
        reader.findings.add("expect and expect_bytes cannot be combined", remedy: "use two steps", at: node)
      }
      return step
    }
    return .list(of: step.called("a step"))
  }

  private static var label: FieldReader<TCPModule.Step.Label> {
    .mapping { reader in
      let name = reader.required("name", .goText, example: "version")
      let value = reader.value("value", .goText) ?? ""
      guard let name, let node = reader.filled("name") else { return nil }
      let isName =
        name.unicodeScalars.first.map { !("0"..."9").contains($0) } ?? false
        && name.unicodeScalars.allSatisfy { $0.isASCIIAlphanumeric || $0 == "_" }
      guard isName else {
        reader.findings.add(
          "\(Excerpt(name)) cannot be the name of a label", remedy: "use letters, digits and _", at: node)
        return nil
      }
      return TCPModule.Step.Label(name: name, value: value)
    }
  }
}
