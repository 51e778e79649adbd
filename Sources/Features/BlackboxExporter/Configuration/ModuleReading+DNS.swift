internal import ProbeCore
internal import ProbeStreams
internal import SourceDocuments
import ProbePatterns

/// Reading the section `dns` of a module.
extension ModuleReading {
  func dns(_ module: inout DNSModule, _ reader: inout MappingReader) {
    addresses(&module.addresses, &reader)
    source(&module.source, &reader)
    reader.read("dns_over_tls", into: &module.usesTLS, .goBoolean)
    reader.section("tls_config", into: &module.tls, tls)
    let transport = reader.choice("transport_protocol", among: ["udp", "tcp"], "a DNS transport")
    module.query.usesTCP = transport?.value == "tcp"
    if module.usesTLS, !module.query.usesTCP, let node = reader.filled("dns_over_tls") {
      findings.add("DNS over TLS needs TCP", remedy: "add transport_protocol: tcp", at: node)
    }
    readQuestion(&module, &reader)
    reader.read("recursion_desired", into: &module.query.recursion, .goBoolean)
    readCodes(&module, &reader)
    reader.read("validate_answer_rrs", into: &module.answer, Self.rules)
    reader.read("validate_authority_rrs", into: &module.authority, Self.rules)
    reader.read("validate_additional_rrs", into: &module.additional, Self.rules)
  }

  private func readQuestion(_ module: inout DNSModule, _ reader: inout MappingReader) {
    if let name = reader.required("query_name", .nonEmptyText, example: "example.com") { module.name = name }
    if let type = reader.locatedText("query_type") {
      let (name, known) = (type.value, RecordType(type.value))
      module.type = name
      if Self.otherTypes.contains(name) || known?.isTransfer == true {
        cannot("ProbeKit has no queries of the type \(name)", at: type.node.start)
      } else if name != name.uppercased() || name.hasPrefix("TYPE") || known == nil {
        findings.add(
          "\(Excerpt(name)) is not a DNS record type", remedy: "use one such as A or MX", at: type.node)
      }
    }
    let classes = ["IN", "CS", "CH", "HS", "NONE", "ANY"]
    if let name = reader.choice("query_class", among: classes, "a DNS record class") {
      module.recordClass = name.value
      if RecordClass(name.value) == nil {
        cannot("ProbeKit has no queries of the class \(name.value)", at: name.node.start)
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
        at: code.node.start)
    }
    if !codes.isEmpty { module.responseCodes = codes.map(\.value) }
  }

  private static var rules: FieldReader<DNSModule.RecordRules> {
    .mapping { reader in
      var rules = DNSModule.RecordRules()
      reader.read("fail_if_matches_regexp", into: &rules.failsIfMatches, .list(of: .goPattern))
      reader.read("fail_if_all_match_regexp", into: &rules.failsIfAllMatch, .list(of: .goPattern))
      reader.read("fail_if_not_matches_regexp", into: &rules.failsIfNotMatches, .list(of: .goPattern))
      reader.read("fail_if_none_matches_regexp", into: &rules.failsIfNoneMatches, .list(of: .goPattern))
      return rules
    }
  }
}
