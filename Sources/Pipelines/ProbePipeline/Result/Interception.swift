import PortalAnalysis
import ProbeCore

/// A third party that responds instead of servers, without a login.
public struct Interception: Hashable, Sendable {
  /// The kind of response: the name of an `ResponseKind`, `tls` for certificates that are not the servers' own,
  /// or `dns` for names that resolve to non-public addresses.
  public let kind: String
  /// Its identity: the host of its page, its address, or the issuer of its certificates; nil if unknown.
  public let by: String?

  /// Creates an interception.
  public init(kind: String, by: String?) {
    self.kind = kind
    self.by = by
  }

  /// Creates the interception with the strongest evidence; nil if there is none.
  ///
  /// - Parameters:
  ///   - foreign: Responses of a third party.
  ///   - certificates: Certificates of a third party.
  ///   - addresses: Addresses that a third party gives.
  init?(_ foreign: ForeignFindings?, _ certificates: CertificateFindings?, _ addresses: AddressFindings?) {
    if let group = foreign?.groups.first {
      self.init(
        kind: (group.first.analysis?.kind ?? .unknown).name,
        by: group.host ?? (group.operators.count >= 2 ? group.address?.description : nil))
    } else if let certificates {
      self.init(kind: "tls", by: certificates.commonIssuer)
    } else if let addresses {
      self.init(kind: "dns", by: addresses.foremost?.description)
    } else {
      return nil
    }
  }
}

extension ForeignFindings.Group {
  /// The host that the response redirects to, unless it is the requested one.
  fileprivate var host: String? {
    guard let asked = try? ProbeURL(first.url), let target = first.response?.redirects.last?.target,
      asked.isOffHost(target)
    else { return nil }
    return target.host
  }
}
