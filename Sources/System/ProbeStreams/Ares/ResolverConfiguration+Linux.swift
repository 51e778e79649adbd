package import ProbeSystem
internal import Glibc

extension ResolverConfiguration {
  /// The configuration of this machine.
  ///
  /// A file that does not exist or may not be read counts as empty, as in glibc. One that is not a regular
  /// file, or cannot be read for another reason, is not understood.
  ///
  /// - Throws: `FileError` if a resource is exhausted.
  package static func ofMachine(_ path: String = "/etc/resolv.conf") throws(FileError)
    -> ResolverConfiguration
  {
    do {
      let text = try FileReading.bytes(of: path, limit: 1 << 20, .regularFiles)
      return ResolverConfiguration(String(decoding: text, as: UTF8.self), hostName: machineName)
    } catch {
      if error.isShortage { throw error }
      var configuration = ResolverConfiguration("", hostName: machineName)
      configuration.isUnderstood = error.isAbsence
      return configuration
    }
  }

  /// The machine's host name, or an empty string.
  static var machineName: String {
    var bytes = [CChar](repeating: 0, count: 257)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FileError {
  /// Whether it means that there is no such file for this process, which glibc treats as an empty one.
  package var isAbsence: Bool { [ENOENT, EACCES, EPERM, EISDIR, ELOOP, ENOTDIR].contains(systemCode) }

  /// Whether it means that a resource was exhausted.
  package var isShortage: Bool { AresError(shortage: systemCode) != nil }
}
