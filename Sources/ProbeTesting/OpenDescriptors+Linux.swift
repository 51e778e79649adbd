internal import Glibc

/// The file descriptors of this process, each with what it stands for.
enum OpenDescriptors {
  /// The descriptors now, or nil when the system does not tell.
  static var now: Set<String>? {
    let path = "/proc/self/fd"
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var found: Set<String> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // A number alone may have been given to something else; what it stands for tells two sockets apart.
      guard !name.hasPrefix("."), let target = target(of: "\(path)/\(name)") else { continue }
      found.insert("\(name) \(target)")
    }
    return found
  }

  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = unsafe readlink(path, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let target = String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The folder that is being read.
    return target.hasPrefix("/proc/") ? nil : target
  }
}
