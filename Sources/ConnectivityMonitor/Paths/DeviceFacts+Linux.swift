internal import Glibc

extension DeviceFacts {
  /// Reads the files of an interface.
  ///
  /// They may be of another network namespace, when `/sys` was mounted there; then nothing is known.
  ///
  /// - Parameters:
  ///   - name: The interface's name.
  ///   - index: Its number, by which its files are known to be its own.
  ///   - hardwareAddress: Its hardware address, likewise.
  init(reading name: String, index: Int, hardwareAddress: [UInt8]) {
    self.init()
    guard !name.contains("/"), !name.hasPrefix(".") else { return }
    let folder = "/sys/class/net/\(name)"
    let address = hardwareAddress.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    guard SmallFile.lines("\(folder)/ifindex").first == String(index),
      hardwareAddress.isEmpty || SmallFile.lines("\(folder)/address").first == address
    else { return }
    let word = "DEVTYPE="
    type = SmallFile.lines("\(folder)/uevent").first { $0.hasPrefix(word) }.map {
      String($0.dropFirst(word.count))
    }
    isWireless = ["phy80211", "wireless"].contains { SmallFile.exists("\(folder)/\($0)") }
    isVirtual = SmallFile.target(of: folder)?.contains("/devices/virtual/")
  }
}

/// The small files by which the system tells of itself.
enum SmallFile {
  private static let limit = 64 * 1024

  /// Its lines, or none when it cannot be read.
  static func lines(_ path: String) -> [String] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while text.count < limit {
      let count = unsafe read(file, &piece, piece.count)
      guard count > 0 else { break }
      text += piece.prefix(count)
    }
    return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is such a file.
  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// Where a symbolic link leads, or nil when it is none.
  static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
