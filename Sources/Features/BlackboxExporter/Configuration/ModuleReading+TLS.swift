internal import ProbeCore
internal import SourceDocuments

/// Reading `tls_config`.
extension ModuleReading {
  func tls(_ node: SourceNode) -> ModuleTLS? {
    guard var reader = MappingReader(node, "tls_config", findings) else { return nil }
    var tls = ModuleTLS()
    tls.authorities = reader.text("ca").map { Array($0.utf8) }
    tls.authorityFile = reader.text("ca_file")
    tls.certificateFile = reader.text("cert_file")
    tls.keyFile = reader.text("key_file")
    tls.serverName = reader.text("server_name")
    tls.observes = reader.value("insecure_skip_verify", .goBoolean) ?? false
    tls.minimumVersion = version("min_version", &reader)
    tls.maximumVersion = version("max_version", &reader)
    for key in ["ca_file", "cert_file", "key_file"] { check(file: reader.text(key), at: reader.filled(key)) }
    for key in ["ca", "cert", "key"] {
      refuseReference(key, &reader)
      reader.allowOne(of: [key, key + "_file", key + "_ref"])
    }
    readClientCertificate(&reader)
    if let low = tls.minimumVersion, let high = tls.maximumVersion, low > high,
      let node = reader.filled("max_version")
    {
      findings.add("max_version is lower than min_version", remedy: "swap them", at: node)
    }
    if tls.observes, let node = reader.filled("insecure_skip_verify") {
      warn(
        "certificates are still checked: a server that fails gets no credentials, and a metric reports the error",
        at: node.span.lowerBound)
    }
    reader.finish()
    return tls
  }

  private func readClientCertificate(_ reader: inout MappingReader) {
    func given(_ name: String) -> (key: String, node: SourceNode)? {
      for key in [name, name + "_file", name + "_ref"] where reader.text(key) != nil {
        if let node = reader.filled(key) { return (key, node) }
      }
      return nil
    }
    let (certificate, key) = (given("cert"), given("key"))
    if let certificate, key == nil {
      findings.add("\(certificate.key) needs a key", remedy: "add key_file", at: certificate.node)
    }
    if let key, certificate == nil {
      findings.add("\(key.key) needs a certificate", remedy: "add cert_file", at: key.node)
    }
    for part in [certificate, key].compactMap(\.self) {
      if part.key == "cert" || part.key == "key" {
        cannot(
          "ProbeKit reads the client's certificate and its key from files only, not from \(part.key)",
          at: part.node.span.lowerBound)
      } else {
        warnOfCredentials(at: part.node.span.lowerBound)
      }
    }
  }

  private func version(_ key: String, _ reader: inout MappingReader) -> TLSVersion? {
    let versions: [String: TLSVersion] = ["TLS10": .v1_0, "TLS11": .v1_1, "TLS12": .v1_2, "TLS13": .v1_3]
    guard let name = reader.text(key), let node = reader.filled(key) else { return nil }
    guard let version = versions[name] else {
      findings.add(
        "\(Excerpt(name)) is not a TLS version", remedy: "use \(versions.keys.sorted().alternatives)",
        at: node)
      return nil
    }
    return version
  }
}
