internal import ProbeCore
internal import ProbeTLS
internal import SourceDocuments

/// The keys of `tls_server_config` in a web configuration file.
struct WebTLSFields {
  /// The server; nil if there is no certificate or there is an error.
  var server: ServerContext?
  /// What client certificates must be.
  var requirements: [String] = []
  /// The files that it names.
  var files: [String] = []

  /// The reader of the keys; relative paths are relative to the folder.
  static func reader(folder: String) -> FieldReader<WebTLSFields> {
    .mapping { reader in
      var fields = WebTLSFields()
      var settings = ServerSettings()
      let certificate = fields.source("cert", &reader, folder)
      let key = fields.source("key", &reader, folder)
      fields.readClients(&reader, &settings, folder)
      readVersions(&reader, &settings)
      readSuites(&reader, &settings)
      guard !reader.entries.isEmpty else { return fields }
      fields.start(reader, certificate, key, settings)
      return fields
    }
  }

  /// A text in PEM format, or the file that contains it.
  private mutating func source(
    _ key: String, _ reader: inout MappingReader, _ folder: String
  ) -> Located<PEMSource>? {
    let text = reader.optional(key, .located(.text))
    let file = reader.optional(key + "_file", .located(.text))
    if let file, !file.value.isEmpty {
      if text?.value.isEmpty == false {
        reader.findings.add("\(key) and \(key)_file are both given", remedy: "remove one", at: file.node)
      }
      let path = file.value.hasPrefix("/") ? file.value : "\(folder)/\(file.value)"
      files.append(path)
      return Located(.file(path), node: file.node)
    }
    guard let text, !text.value.isEmpty else { return nil }
    return Located(.text(Array(text.value.utf8)), node: text.node)
  }

  /// Creates the server from the certificate and its key.
  private mutating func start(
    _ reader: MappingReader, _ certificate: Located<PEMSource>?, _ key: Located<PEMSource>?,
    _ settings: ServerSettings
  ) {
    let findings = reader.findings
    guard let certificate, let key else {
      let missing = certificate == nil ? "cert_file" : "key_file"
      return findings.add(
        "tls_server_config has no \(missing)", remedy: "name the file with the PEM text", at: reader.node)
    }
    do throws(CertificateFileError) {
      let identity = try Identity(certificate.value, key: key.value)
      do throws(TLSError) {
        server = try ServerContext(identity, settings)
      } catch {
        findings.add("TLS cannot be configured like this: \(error.message)", at: reader.node)
      }
    } catch {
      let isAboutKey =
        [.noKey, .wrongPassphrase, .wrongKey].contains(error.code) || error.path == key.value.path
      // The line of an inline key must not be quoted.
      Self.add(error, isAboutKey && key.value.path != nil ? key : certificate, to: findings)
    }
  }

  /// Adds an error about a PEM text.
  private static func add(
    _ error: CertificateFileError, _ source: Located<PEMSource>, to findings: SourceFindings
  ) {
    let remedy: String? =
      switch error.code {
      case .noCertificate, .noKey: "give it in PEM format"
      case .wrongKey: "give the key that the certificate was made for"
      case .wrongPassphrase: "remove the passphrase: openssl pkey -in FILE -out NEW"
      case .unreadableFile: "a relative path starts in the folder of this file"
      default: nil
      }
    if source.value.path != nil { return findings.add("\(error)", remedy: remedy, at: source.node) }
    findings.add(error.reason, remedy: remedy, at: source.node)
  }
}

/// Client certificates.
extension WebTLSFields {
  private static let modes: [(name: String, mode: ServerSettings.ClientCertificates)] = [
    ("NoClientCert", .none), ("RequestClientCert", .requested), ("RequireAnyClientCert", .required),
    // Its former name.
    ("RequireClientCert", .required), ("VerifyClientCertIfGiven", .verifiedIfSent),
    ("RequireAndVerifyClientCert", .requiredAndVerified),
  ]

  private mutating func readClients(
    _ reader: inout MappingReader, _ settings: inout ServerSettings, _ folder: String
  ) {
    let mode = reader.optional("client_auth_type", .located(.text))
    let authorities = source("client_ca", &reader, folder)
    let names = reader.optional("client_allowed_sans", .located(.list(of: .nonEmptyText)))
    let findings = reader.findings
    if let mode, !mode.value.isEmpty {
      guard let known = Self.modes.first(where: { $0.name == mode.value }) else {
        return findings.add(
          "client_auth_type cannot be \(Excerpt(mode.value))",
          remedy: "use \(Self.modes.filter { $0.name != "RequireClientCert" }.map(\.name).alternatives)",
          at: mode.node)
      }
      settings.clientCertificates = known.mode
    }
    let mayVerify = [.verifiedIfSent, .requiredAndVerified].contains(settings.clientCertificates)
    if [.required, .requiredAndVerified].contains(settings.clientCertificates) {
      requirements.append("the requirement of a client certificate")
    }
    if mayVerify { requirements.append("the verification of client certificates") }
    if let authorities {
      do throws(CertificateFileError) {
        settings.clientAuthorities =
          switch authorities.value {
          case .file(let path): try TrustStore(files: [path])
          case .text(let text): try TrustStore(pem: text)
          }
      } catch {
        Self.add(error, authorities, to: findings)
      }
      if settings.clientCertificates == .none {
        findings.add(
          "client_ca_file has no effect without a client_auth_type",
          remedy: "set client_auth_type to RequireAndVerifyClientCert", at: authorities.node)
      }
    } else if mayVerify, let mode {
      settings.clientAuthorities = try? TrustStore.system()
      findings.warn(
        "without a client_ca_file, certificates of every public authority are accepted",
        remedy: "name the authority of the clients", at: mode.node.span.lowerBound)
    }
    guard let names else { return }
    settings.clientNames = Set(names.value)
    if ![.required, .requiredAndVerified].contains(settings.clientCertificates) {
      findings.warn(
        "client_allowed_sans does not keep out clients without a certificate",
        remedy: "set client_auth_type to RequireAndVerifyClientCert", at: names.node.span.lowerBound)
    }
  }
}

/// Versions, cipher suites and curves.
extension WebTLSFields {
  private static let groups: [(name: String, group: ServerSettings.Group)] = [
    ("CurveP256", .p256), ("CurveP384", .p384), ("CurveP521", .p521), ("X25519", .x25519),
  ]
  /// The suites of TLS 1.3, which are always accepted.
  private static let newSuites = [
    "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
  ]

  private static func readVersions(_ reader: inout MappingReader, _ settings: inout ServerSettings) {
    let name = WebConfigurationFields.choice(TLSVersion.named.keys.sorted())
    let lowest = reader.optional("min_version", .located(name))
    let highest = reader.optional("max_version", .located(name))
    let low = lowest.flatMap { TLSVersion.named[$0.value] } ?? .v1_2
    let high = highest.flatMap { TLSVersion.named[$0.value] } ?? .v1_3
    if low <= high {
      settings.versions = low...high
    } else if let node = highest?.node ?? lowest?.node {
      reader.findings.add(
        "max_version is lower than min_version",
        remedy: "change one of them; min_version is TLS12 by default",
        at: node)
    }
    if low < .v1_2, let lowest {
      reader.findings.warn(
        "TLS before 1.2 is not secure (RFC 8996)", remedy: "use TLS12", at: lowest.node.span.lowerBound)
    }
  }

  private static func readSuites(_ reader: inout MappingReader, _ settings: inout ServerSettings) {
    let findings = reader.findings
    let suites = reader.optional("cipher_suites", .list(of: .located(.line))) ?? []
    for suite in suites where !newSuites.contains(suite.value) {
      guard let known = ServerSettings.CipherSuite(registeredName: suite.value) else {
        findings.add(
          "\(Excerpt(suite.value)) is no cipher suite that OpenSSL has",
          remedy: "use a name such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", at: suite.node)
        continue
      }
      settings.cipherSuites.append(known)
    }
    let curves = reader.optional("curve_preferences", .list(of: .located(.line))) ?? []
    for curve in curves {
      guard let known = groups.first(where: { $0.name == curve.value }) else {
        findings.add(
          "\(Excerpt(curve.value)) is not a known curve", remedy: "use \(groups.map(\.name).alternatives)",
          at: curve.node)
        continue
      }
      settings.groups.append(known.group)
    }
    settings.prefersOwnOrder = reader.optional("prefer_server_cipher_suites", .boolean) ?? true
  }
}
