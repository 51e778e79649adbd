package import ProbeSystem
internal import Glibc

extension NameServices {
  /// The name services of this machine.
  ///
  /// - Parameter configuration: The contents of its resolv.conf(5).
  /// - Returns: Its name services.
  /// - Throws: `FileError` if a resource is exhausted.
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
      // If the file cannot be read, the C library does the lookups.
      if !error.isAbsence { machine.isConfigurationUnderstood = false }
      return NameServices(nil, machine)
    }
  }
}
