package import Files
internal import Glibc

extension ResolverConfiguration {
  /// The machine's.
  ///
  /// A file that does not exist, or that may not be read, is an empty one; so it is for glibc.
  ///
  /// - Throws: `FileError` when the file cannot be read.
  package static func ofMachine(_ path: String = "/etc/resolv.conf") throws(FileError)
    -> ResolverConfiguration
  {
    var text = ""
    do {
      text = String(decoding: try FileReading.bytes(of: path, limit: 1 << 20, .regularFiles), as: UTF8.self)
    } catch {
      guard error.systemCode == ENOENT || error.systemCode == EACCES else { throw error }
    }
    return ResolverConfiguration(text, hostName: machineName)
  }

  /// What the machine calls itself, or nothing.
  package static var machineName: String {
    var bytes = [CChar](repeating: 0, count: 257)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
