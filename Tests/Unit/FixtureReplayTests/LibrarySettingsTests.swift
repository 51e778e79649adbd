import TestRequirements
import TestSupport
import Testing

/// Settings that libraries read from the environment of a program that uses ProbeKit, and that ProbeKit
/// keeps.
@Suite(.heavy) struct LibrarySettingsTests {
  @Test func openSSLIgnoresItsConfigurationFile() throws {
    // Without the default provider there are no algorithms, and so no certificates or handshakes.
    let folder = try TemporaryFolder([
      "openssl.cnf": "openssl_conf = a\n[a]\nproviders = b\n[b]\nnull = c\n[c]\nactivate = 1\n"
    ])
    let run = "OPENSSL_CONF='\(folder.path)/openssl.cnf' exec \"$0\" >'\(folder.path)/output' 2>&1"
    let code = try runProgram("sh", ["-c", run, try builtProgram("routed-probes")])
    let output = readText(folder.path + "/output")
    #expect(code == 0 && output.contains("to-https secure.example 204\n"), "\(output)")
  }
}
