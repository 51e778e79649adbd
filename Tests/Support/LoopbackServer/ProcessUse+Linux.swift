private import Glibc

/// The system resources that this process uses at one time.
package struct ProcessUse: Sendable {
  /// How many descriptors are open.
  package var descriptors: Int { openThings.count }
  /// The file or object behind each open descriptor, by number.
  private let openThings: [String: String]
  private let threadNames: [String]

  /// The current resources.
  package static var now: ProcessUse {
    let threads = entries("/proc/self/task")
    let numbers = entries("/proc/self/fd")
    return ProcessUse(
      openThings: Dictionary(uniqueKeysWithValues: numbers.map { ($0, thing(ofDescriptor: $0)) }),
      threadNames: threads.map { name(ofThread: $0) })
  }

  /// Whether nothing except the runtime's own descriptors has been opened since then.
  ///
  /// The runtime opens such a descriptor when a timer or a reader first needs it, at an unpredictable time,
  /// and keeps it: a few for the whole process. A leaking server leaves one behind every time, and sockets.
  package func addsNothing(to before: ProcessUse) -> Bool {
    descriptors - waitDescriptors <= before.descriptors - before.waitDescriptors
      && waitDescriptors <= before.waitDescriptors + 4
  }

  /// The number of descriptors on which threads wait: epoll, eventfd, timerfd.
  private var waitDescriptors: Int { openThings.values.count { $0.hasPrefix("anon_inode:") } }

  /// Whether a timer is open.
  fileprivate var hasTimer: Bool { openThings.values.contains("anon_inode:[timerfd]") }

  /// How many threads have this name.
  package func threads(named name: String) -> Int {
    threadNames.count { $0 == name }
  }

  /// How many threads there are.
  package var threads: Int { threadNames.count }

  /// How many threads have each name.
  package var threadsByName: [String: Int] { Dictionary(threadNames.map { ($0, 1) }, uniquingKeysWith: +) }

  /// How many descriptors are of each kind, such as `socket`.
  package var descriptorsByKind: [String: Int] {
    Dictionary(
      openThings.values.map { ($0.split(separator: ":").first.map(String.init) ?? "", 1) },
      uniquingKeysWith: +)
  }

  /// How many descriptors the process may have.
  package static var descriptorLimit: Int {
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    return Int(clamping: limits.rlim_cur)
  }

  /// The resident private memory in bytes.
  ///
  /// Pages of files, such as those of its code, do not count: the system loads and drops them as it needs.
  package static var residentBytes: Int {
    let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 128)
    let count = unsafe read(file, &bytes, bytes.count)
    // All pages, those in memory, and those of them that are of files (proc_pid_statm(5)).
    let pages = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ").prefix(3)
      .compactMap { Int($0) }
    return pages.count == 3 ? (pages[1] - pages[2]) * Int(getpagesize()) : 0
  }

  /// Waits until a condition is true.
  ///
  /// - Returns: false if it did not become true within ten minutes.
  package static func settles(_ condition: (ProcessUse) -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(600)
    while !condition(now) {
      guard ContinuousClock.now < end else { return false }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return true
  }

  private static func entries(_ path: String) -> [String] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// The target of a descriptor, such as `socket:[1234]` or `anon_inode:[eventpoll]`.
  private static func thing(ofDescriptor number: String) -> String {
    var characters = [CChar](repeating: 0, count: 256)
    let count = unsafe readlink("/proc/self/fd/\(number)", &characters, characters.count)
    return String(decoding: characters.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func name(ofThread id: String) -> String {
    let file = unsafe open("/proc/self/task/\(id)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = unsafe read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count - 1)), as: UTF8.self)
  }
}

/// Uses up the descriptors of a process; for a test in a separate process.
package final class DescriptorHoard: Sendable {
  /// The system's error for a process without descriptors.
  package static let exhausted = EMFILE

  private let taken: [Int32]

  /// Lowers the limit, and uses up all descriptors except some.
  ///
  /// The runtime opens a timer descriptor soon after a process starts, and once a second briefly a file to
  /// see which threads are running. If that fails, it ends the process: the initializer waits for the timer,
  /// and a test that takes longer than a second must spare at least one descriptor.
  package init(limit: Int, sparing spared: Int = 0) {
    while !ProcessUse.now.hasTimer { usleep(1000) }
    var limits = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    limits.rlim_cur = rlim_t(limit)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
    var taken: [Int32] = []
    while true {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { break }
      taken.append(descriptor)
    }
    for _ in 0..<spared {
      if let descriptor = taken.popLast() { close(descriptor) }
    }
    self.taken = taken
  }

  package func release() {
    for descriptor in taken { close(descriptor) }
  }
}
