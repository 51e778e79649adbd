import FoundationEssentials
import ProbeBase

extension String {
  /// The digest of a style or script in the form of a content security policy (CSP Level 3 §6.7.3.2).
  package var digestForPolicy: String {
    "'sha256-\(Data(MessageDigest.sha256(of: Array(utf8))).base64EncodedString())'"
  }
}
