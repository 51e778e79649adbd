package import ProbeAres
package import ProbeFiles
internal import Glibc

extension NameServices {
  /// The machine's.
  ///
  /// - Parameter configuration: What its resolv.conf(5) says.
  /// - Returns: What they say of names.
  /// - Throws: `FileError` when something ran out.
  package static func ofMachine(_ configuration: ResolverConfiguration) throws(FileError) -> NameServices {
    var machine = MachineFacts()
    machine.hostName = ResolverConfiguration.machineName
    machine.allowsOtherNamesByMDNS = unsafe access("/etc/mdns.allow", F_OK) == 0
    let variables = ["LOCALDOMAIN", "RES_OPTIONS", "HOSTALIASES"]
    machine.hasVariables = variables.contains { name in unsafe getenv(name) != nil }
    machine.isConfigurationUnderstood = configuration.isUnderstood
    do {
      let bytes = try FileReading.bytes(of: "/etc/nsswitch.conf", limit: 1 << 20, .regularFiles)
      return NameServices(String(decoding: bytes, as: UTF8.self), machine)
    } catch {
      if error.isShortage { throw error }
      // What cannot be read is the C library's affair.
      if !error.isAbsence { machine.isConfigurationUnderstood = false }
      return NameServices(nil, machine)
    }
  }
}
