/// A client certificate for servers that request one, as PEM files.
///
/// It is presented only to the origin it is for, not to other origins that redirects point to. If the files
/// change, later connections use the new contents.
public struct ClientCertificate: Hashable, Sendable {
  /// The file with the certificate, followed by the intermediate certificates up to an authority.
  public var certificateFile: String
  /// The file with the private key, or nil if the key is in the certificate file.
  public var keyFile: String?
  /// The passphrase of an encrypted key, or nil.
  public var passphrase: Secret?

  /// Creates a certificate from files.
  public init(certificateFile: String, keyFile: String? = nil, passphrase: Secret? = nil) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.passphrase = passphrase
  }
}
