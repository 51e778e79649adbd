internal import Glibc

/// The open file descriptors of this process, each with the file or socket it refers to.
enum OpenDescriptors {
  /// The open descriptors, or nil if the system does not provide them.
  static var now: Set<String>? {
    let path = "/proc/self/fd"
    guard let folder = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(folder) }
    var found: Set<String> = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      // A number can be reused; the target distinguishes two sockets.
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
    // The directory that is being read.
    return target.hasPrefix("/proc/") ? nil : target
  }
}
