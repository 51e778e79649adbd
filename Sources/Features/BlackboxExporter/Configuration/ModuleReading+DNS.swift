internal import ProbeCore
internal import ProbeStreams
internal import SourceDocuments
import ProbePatterns

/// Reading the section `dns` of a module.
extension ModuleReading {
  func dns(_ node: SourceNode) -> DNSModule? {
    guard var reader = MappingReader(node, "dns", findings) else { return nil }
    var module = DNSModule()
    module.addresses = addresses(&reader)
    module.source = source(&reader)
    module.usesTLS = reader.value("dns_over_tls", .goBoolean) ?? false
    if let node = reader.filled("tls_config") { module.tls = tls(node) ?? ModuleTLS() }
    readTransport(&module, &reader)
    if module.usesTLS, !module.usesTCP, let node = reader.filled("dns_over_tls") {
      findings.add("DNS over TLS needs TCP", remedy: "add transport_protocol: tcp", at: node)
    }
    readQuestion(&module, &reader)
    module.desiresRecursion = reader.value("recursion_desired", .goBoolean) ?? true
    readCodes(&module, &reader)
    module.answer = rules("validate_answer_rrs", &reader)
    module.authority = rules("validate_authority_rrs", &reader)
    module.additional = rules("validate_additional_rrs", &reader)
    reader.finish()
    return module
  }

  private func readTransport(_ module: inout DNSModule, _ reader: inout MappingReader) {
    guard let transport = reader.text("transport_protocol"), let node = reader.filled("transport_protocol")
    else {
      return
    }
    module.usesTCP = transport == "tcp"
    if transport != "tcp", transport != "udp" {
      findings.add("\(Excerpt(transport)) is not a DNS transport", remedy: "use udp or tcp", at: node)
    }
  }

  private func readQuestion(_ module: inout DNSModule, _ reader: inout MappingReader) {
    if let name = reader.required("query_name", .nonEmptyText, example: "example.com") { module.name = name }
    if let type = reader.text("query_type"), let node = reader.filled("query_type") {
      module.type = type
      let known = RecordType(type)
      if Self.otherTypes.contains(type) || known?.isTransfer == true {
        cannot("ProbeKit has no queries of the type \(type)", at: node.span.lowerBound)
      } else if type != type.uppercased() || type.hasPrefix("TYPE") || known == nil {
        findings.add(
          "\(Excerpt(type)) is not a DNS record type", remedy: "use one such as A or MX", at: node)
      }
    }
    let classes = ["IN", "CS", "CH", "HS", "NONE", "ANY"]
    if let name = reader.text("query_class"), let node = reader.filled("query_class") {
      module.recordClass = name
      if !classes.contains(name) {
        findings.add(
          "\(Excerpt(name)) is not a DNS record class", remedy: "use \(classes.alternatives)", at: node)
      } else if RecordClass(name) == nil {
        cannot("ProbeKit has no queries of the class \(name)", at: node.span.lowerBound)
      }
    }
  }

  /// The types that blackbox_exporter supports and ProbeKit's DNS library does not.
  private static let otherTypes: Set<String> = [
    "AVC", "GID", "NINFO", "RKEY", "TA", "UID", "UINFO", "UNSPEC",
  ]

  /// The names of response codes (IANA, "DNS RCODEs") that blackbox_exporter supports.
  private static let codes = [
    "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP", "NOTIMPL", "REFUSED", "YXDOMAIN", "YXRRSET",
    "NXRRSET",
    "NOTAUTH", "NOTZONE", "BADSIG", "BADVERS", "BADKEY", "BADTIME", "BADMODE", "BADNAME", "BADALG",
    "BADTRUNC",
    "BADCOOKIE",
  ]

  private func readCodes(_ module: inout DNSModule, _ reader: inout MappingReader) {
    let codes = reader.value("valid_rcodes", .list(of: .located(.goText))) ?? []
    for code in codes where !Self.codes.contains(code.value) {
      warn(
        "\(Excerpt(code.value)) is no response code, and no probe of this module succeeds",
        remedy: findings.nearest(to: code.value, among: Self.codes).map { "did you mean \($0)?" },
        at: code.node.span.lowerBound)
    }
    if !codes.isEmpty { module.responseCodes = codes.map(\.value) }
  }

  private func rules(_ key: String, _ reader: inout MappingReader) -> DNSModule.RecordRules {
    let rules = FieldReader<DNSModule.RecordRules>.mapping { reader in
      func patterns(_ key: String) -> [GoPattern] { reader.value(key, .list(of: .goPattern)) ?? [] }
      var rules = DNSModule.RecordRules()
      rules.failsIfMatches = patterns("fail_if_matches_regexp")
      rules.failsIfAllMatch = patterns("fail_if_all_match_regexp")
      rules.failsIfNotMatches = patterns("fail_if_not_matches_regexp")
      rules.failsIfNoneMatches = patterns("fail_if_none_matches_regexp")
      return rules
    }
    return reader.value(key, rules) ?? DNSModule.RecordRules()
  }
}
