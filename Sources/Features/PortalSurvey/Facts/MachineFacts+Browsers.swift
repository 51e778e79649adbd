internal import ProbeCore
internal import ProbeJSON

/// The policies of browsers.
extension MachineFacts {
  /// Parses policies: one mistake makes the browsers ignore the file.
  private static let parser = JSONParser(maximumLength: 1 << 20, maximumDepth: 32)

  /// Adds the settings in the policies of Firefox (policies.json).
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: Its path, for the texts.
  mutating func addFirefoxPolicies(_ bytes: [UInt8], path: String) {
    guard let policies = try? Self.parser.value(of: bytes)["policies"] else { return }
    let location = path.escapedForDisplay
    if let mode = policies["HttpsOnlyMode"]?.string, ["enabled", "force_enabled"].contains(mode) {
      httpsOnly.append("Firefox: HttpsOnlyMode is \(mode) in \(location)")
    }
    let name = "dom.security.https_only_mode"
    let preference = policies["Preferences"]?[name]
    if preference?.bool ?? preference?["Value"]?.bool == true {
      httpsOnly.append("Firefox: \(name) is true in \(location)")
    }
    if policies["DNSOverHTTPS"]?["Enabled"]?.bool == true {
      browserDNS.append("Firefox: DNSOverHTTPS is enabled in \(location)")
    }
  }

  /// Adds the settings in the policies of Chromium, or of a browser that is based on it.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - path: Its path, for the texts.
  ///   - browser: The name of the browser.
  mutating func addChromiumPolicies(_ bytes: [UInt8], path: String, browser: String) {
    guard let policies = try? Self.parser.value(of: bytes) else { return }
    let location = path.escapedForDisplay
    let forced = ["force_enabled", "force_balanced_enabled"]
    if let mode = policies["HttpsOnlyMode"]?.string, forced.contains(mode) {
      httpsOnly.append("\(browser): HttpsOnlyMode is \(mode) in \(location)")
    }
    if let mode = policies["DnsOverHttpsMode"]?.string, ["secure", "automatic"].contains(mode) {
      browserDNS.append("\(browser): DnsOverHttpsMode is \(mode) in \(location)")
    }
  }
}
