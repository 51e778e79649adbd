package import ProbeFiles
internal import Glibc

extension ResolverConfiguration {
  /// The machine's.
  ///
  /// A file that does not exist, or that may not be read, is an empty one; so it is for glibc. One that is no
  /// regular file, or that cannot be read, is not understood.
  ///
  /// - Throws: `FileError` when something ran out.
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

  /// What the machine calls itself, or nothing.
  package static var machineName: String {
    var bytes = [CChar](repeating: 0, count: 257)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FileError {
  /// Whether it says that there is no such file for this process, which glibc takes for an empty one.
  package var isAbsence: Bool { [ENOENT, EACCES, EPERM, EISDIR, ELOOP, ENOTDIR].contains(systemCode) }

  /// Whether it says that something ran out.
  package var isShortage: Bool { AresError(shortage: systemCode) != nil }
}
