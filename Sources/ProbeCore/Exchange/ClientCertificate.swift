/// The certificate a client shows to a server that asks for one, by the PEM files it is in.
///
/// It is shown to the origin it is for, and to no other one that redirects lead to. When the files change, later
/// connections show what is in them then.
public struct ClientCertificate: Hashable, Sendable {
  /// The file with the certificate, and behind it those that lead to an authority.
  public var certificateFile: String
  /// The file with the private key; nil when it is in the file of the certificate.
  public var keyFile: String?
  /// What the key is encrypted with, or nil when it is not.
  public var passphrase: Secret?

  /// A certificate in files.
  public init(certificateFile: String, keyFile: String? = nil, passphrase: Secret? = nil) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.passphrase = passphrase
  }
}
