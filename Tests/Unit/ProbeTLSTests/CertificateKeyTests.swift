import ProbeCore
import ProbeTLS
import Testing

@Suite struct CertificateKeyTests {
  /// A certificate in PEM format, and its properties according to `openssl x509 -text`.
  struct Sample {
    var pem: String
    var algorithm: String
    var bits: Int
    var signature: String
    var hash: String
    var issuerNames: [String]
  }

  @Test(arguments: samples.indices)
  func keyAndSignatureAreRead(_ index: Int) throws {
    let sample = Self.samples[index]
    let certificate = try CertificateFacts(pem: sample.pem)
    #expect(certificate.keyAlgorithm == sample.algorithm)
    #expect(certificate.keyBits == sample.bits)
    #expect(certificate.signatureAlgorithm == sample.signature)
    #expect(certificate.signatureHash == sample.hash)
    #expect(certificate.issuerNames == sample.issuerNames)
  }

  @Test func keyAndSignatureOfAnEllipticCurveAreRead() throws {
    let authority = try CertificateAuthority(name: "Zürich, Test+CA")
    let certificate = try authority.issue(LeafOptions(hosts: ["a.example"])).chain[0]
    #expect(certificate.keyAlgorithm == "ec")
    #expect(certificate.keyBits == 256)
    #expect(certificate.signatureAlgorithm == "ecdsa-with-SHA256")
    #expect(certificate.signatureHash == "sha256")
    #expect(certificate.issuerNames == ["Zürich, Test+CA"])
  }
}

extension CertificateKeyTests {
  static let samples = [
    Sample(
      pem: """
        -----BEGIN CERTIFICATE-----
        MIICXTCCAcagAwIBAgIUVpyCh73K4abfVTax1g4MfZxjuFAwDQYJKoZIhvcNAQEF
        BQAwJjEWMBQGA1UECgwNRXhhbXBsZSwgSW5jLjEMMAoGA1UEAwwDT2xkMB4XDTI2
        MTEyNTE2MjA1NVoXDTM2MTEyMjE2MjA1NVowJjEWMBQGA1UECgwNRXhhbXBsZSwg
        SW5jLjEMMAoGA1UEAwwDT2xkMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCi
        9quoxZEv33hUF3zXkeA5CTgwBvEOM9HId2rduYq+s26DBVXT8ln3hcCCpfCOB6M+
        H/uNoXtVIn2wkWD/w9mnoGsU8ubppmq+EbKHavSYnOyLK8N7XaAZa3Q/f6YcWYZk
        L7lxs4DLqzlGFkC1ehqVNXLLyHSM3KsmYNWm17AOpQIDAQABo4GHMIGEMB0GA1Ud
        DgQWBBQ/CdYXC3nSnKc3qWVFnO0D2ecN8DAfBgNVHSMEGDAWgBQ/CdYXC3nSnKc3
        qWVFnO0D2ecN8DAPBgNVHRMBAf8EBTADAQH/MDEGA1UdEQQqMCiCEHd3dy5zaG9w
        LmV4YW1wbGWCDiouc2hvcC5leGFtcGxlhwTAAAIHMA0GCSqGSIb3DQEBBQUAA4GB
        AD4q7wtArT8kih9H8qODOJ3hUXm0hZOxeBushHUVSQa0IGbOzRlRFGp4hVPfoPE9
        hb9NVMWzt2wXHd+pRh8xRpumPq8XbW2gDeRN2vjwvpaHdSov0Ch1jP2HywlHZdgE
        eNZm39ONj3ym4vmT9WXLILA3MoMvD6mPK8mZQJcZRTZg
        -----END CERTIFICATE-----
        """,
      algorithm: "rsa", bits: 1024, signature: "sha1WithRSAEncryption", hash: "sha1",
      issuerNames: ["Example, Inc.", "Old"]),
    Sample(
      pem: """
        -----BEGIN CERTIFICATE-----
        MIICYDCCAZWgAwIBAgIUWwO94gMuoHpepPJYY0/zZIuhuBYwQQYJKoZIhvcNAQEK
        MDSgDzANBglghkgBZQMEAgIFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgIF
        AKIDAgEwMA4xDDAKBgNVBAMMA1BTUzAeFw0yNjExMjUxNjIxMTJaFw0zNjExMjIx
        NjIxMTJaMA4xDDAKBgNVBAMMA1BTUzCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkC
        gYEAzZFVRP+yGN4a5VCCE2LRlrgXTAlXU+2Gw7lF9fnHXgmnJY8323SdTccfVqC1
        unOlkyK/MRpCdYkvcAjlr7raYUtBsEx007S+Eav9rRf6Tar9NzoqxHa3V1XeLrSO
        zeQ5vetJmHGdA0+FlcNFZCcbhORVOahzJDoHVzqBkGIuaCMCAwEAAaNTMFEwHQYD
        VR0OBBYEFNBJc7Yb3rurnoeL4C3zIE3wsJmNMB8GA1UdIwQYMBaAFNBJc7Yb3rur
        noeL4C3zIE3wsJmNMA8GA1UdEwEB/wQFMAMBAf8wQQYJKoZIhvcNAQEKMDSgDzAN
        BglghkgBZQMEAgIFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgIFAKIDAgEw
        A4GBADvTdXh9K0n+CROX6JrVe0cYMF2K04ZzaqBc3LHzyzLcW4VKoXLhD+3SQDP6
        yXA0ZPr/C4OnBzM406nhOAwd2cVDK0nomeVsrNVjijNgZMpyhXKDm/LWF95wRNLO
        QpbC2nhWzg8iXvWM8BgSniYeG5GdNenNwx7EtIprBg39C80W
        -----END CERTIFICATE-----
        """,
      algorithm: "rsa", bits: 1024, signature: "rsassaPss", hash: "sha384", issuerNames: ["PSS"]),
    Sample(
      pem: """
        -----BEGIN CERTIFICATE-----
        MIIBODCB66ADAgECAhRYS9ray61xFUDa8wTSM8G5LqqdmzAFBgMrZXAwEjEQMA4G
        A1UEAwwHRWR3YXJkczAeFw0yNjExMjUxNjIwNTVaFw0zNjExMjIxNjIwNTVaMBIx
        EDAOBgNVBAMMB0Vkd2FyZHMwKjAFBgMrZXADIQAaulWAUF7qcQpWwQn/JdnoF5Jb
        DNyUEmJVnrEXSdHHgqNTMFEwHQYDVR0OBBYEFM0d8JrdSebqTIav7hTAmIT/QAeo
        MB8GA1UdIwQYMBaAFM0d8JrdSebqTIav7hTAmIT/QAeoMA8GA1UdEwEB/wQFMAMB
        Af8wBQYDK2VwA0EA2Yuk5au3MAEggPzIyiqs7Ev9FcNdvEm4daC7qVQFpd6Fh5y8
        Jjo+gtfXdr2NB6Ek3O7H4wTHdMZ1HYaNozMJBg==
        -----END CERTIFICATE-----
        """,
      algorithm: "ed25519", bits: 256, signature: "ED25519", hash: "sha512", issuerNames: ["Edwards"]),
  ]
}
