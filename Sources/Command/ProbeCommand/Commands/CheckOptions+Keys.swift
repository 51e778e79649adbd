import ProbeCore
import ProbePipeline
import SourceDocuments

extension CheckOptions {
  /// The request keys of a pipeline that do the same as options, for the options that not every transport uses.
  ///
  /// `--data` and `--dialog` refuse each URL that cannot use them, and so do transports without a proxy.
  private static let requestKeys: KeyValuePairs = [
    "--header": "headers", "--request": "method", "--user-agent": "userAgent", "--client": "client",
    "--http-version": "client", "--bearer": "auth", "--basic": "auth", "--redirects": "redirects",
    "--location": "redirects", "--cacert": "ca", "--client-cert": "clientCertificate",
  ]

  /// The errors in options that none of the given URLs uses: no transport of theirs has the request key.
  ///
  /// In a list of URLs with different schemes, an option applies to those that use it, as a request key at the top of a
  /// pipeline does.
  ///
  /// - Parameter transports: The transports.
  /// - Returns: The errors, in the order of the options in the help text.
  func unusedOptions(over transports: TransportRegistry) -> [InvalidInput] {
    let schemes = Set(targets.compactMap { ($0.parsedURL ?? (try? ProbeURL($0.url)))?.scheme })
    let given = probing.given
    // The transport of an unknown scheme, of which another error is reported, may have any key.
    guard !schemes.isEmpty, schemes.allSatisfy({ transports[$0] != nil }) else { return [] }
    return Self.requestKeys.compactMap { option, key in
      guard given.contains(option) else { return nil }
      let users = transports.schemes.filter { scheme in
        transports[scheme]?.requestKeys(for: scheme).contains { $0.name == key } == true
      }
      guard schemes.isDisjoint(with: users) else { return nil }
      let names = schemes.map(\.name).sorted().joined(separator: " and ")
      return InvalidInput(
        "\(option): \(names) URLs have no request key \(key)",
        remedy: "it is for \(users.map(\.name).sorted().alternatives)")
    }
  }
}
