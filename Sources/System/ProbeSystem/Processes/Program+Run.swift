package import ProbeBase

extension Program {
  /// Runs it once, until it ends.
  ///
  /// If the task is cancelled, its process group is ended. Processes of the group that are still running
  /// after its end are ended as well.
  ///
  /// - Parameters:
  ///   - input: Its standard input.
  ///   - limit: The timeout, after which its process group is ended.
  ///   - environment: The environment of this process, from which it receives the variables that it names.
  ///   - loop: The loop on which its pipes are read and written.
  /// - Returns: The way in which it ended, with its output.
  package func run(
    input: [UInt8], within limit: Duration, environment: [String: String], on loop: EventLoop
  ) async -> ProgramRun {
    guard loop.start() else {
      return ProgramRun(.notStarted(ProgramNotStarted.noProcess.description))
    }
    let result = Promise<ProgramRun>()
    var queue = InputQueue(input)
    queue.close()
    let operation = ProgramOperation(
      self, environment: environment, input: queue, within: limit, on: loop,
      for: RunCollector(limit: limits.output, result))
    return await withTaskCancellationHandler {
      loop.start(operation)
      return await result.value()
    } onCancel: {
      loop.cancel(operation)
    }
  }
}

private final class RunCollector: ProgramReceiver {
  private let limit: Int
  private let result: Promise<ProgramRun>
  private var output: [UInt8] = []

  init(limit: Int, _ result: Promise<ProgramRun>) {
    (self.limit, self.result) = (limit, result)
  }

  func started() {}

  func take(_ bytes: [UInt8]) -> Bool {
    let room = limit - output.count
    output += bytes.prefix(room)
    return bytes.count <= room
  }

  func ended(_ end: ProgramRun.End, _ errors: ErrorTail) {
    result.fulfill(ProgramRun(end, output: output, errors: errors.bytes))
  }
}

extension Program {
  /// How it is started, without descriptors.
  ///
  /// - Parameter environment: The environment of this process, with the PATH to search for programs.
  /// - Returns: The launch, which has not begun.
  /// - Throws: ``ProgramNotStarted`` if there is no such program, or it cannot run in a sandbox here.
  func launch(environment: [String: String]) throws(ProgramNotStarted) -> ProgramLaunch {
    for text in arguments + [folder] where text.utf8.contains(0) {
      throw ProgramNotStarted("\(Excerpt(text)) contains a zero byte; remove it")
    }
    let absoluteFolder = folder.isEmpty ? nil : ProgramFile.absolute(folder)
    if let absoluteFolder, !ProgramFile.isFolder(absoluteFolder) {
      throw ProgramNotStarted("the folder of the program does not exist: \(absoluteFolder.escapedForDisplay)")
    }
    let path = try path(searching: environment["PATH"])
    var launch = ProgramLaunch(
      arguments: arguments,
      environment: self.environment.compactMap { name in environment[name].map { "\(name)=\($0)" } })
    launch.path = path
    launch.folder = absoluteFolder
    launch.memory = limits.memory
    guard isSandboxed else { return launch }
    guard ProgramHead(of: path).isExecutable else { throw ProgramNotStarted.unknownFormat(path) }
    return try Sandbox(memory: limits.memory).enclosing(launch, searching: environment["PATH"])
  }

  /// The path of its executable file.
  private func path(searching path: String?) throws(ProgramNotStarted) -> String {
    guard let name = arguments.first, !name.isEmpty else {
      throw ProgramNotStarted("there is no program in the command; name one")
    }
    if name.contains("/") {
      let file = ProgramFile.absolute(name, from: folder)
      try Self.check(file)
      return file
    }
    let folders = searchPath + ProgramFile.folders(ofPath: path)
    guard let file = ProgramFile.found(name, in: folders) else {
      let searched = (searchPath + ["PATH"]).map(\.escapedForDisplay).joined(separator: ", ")
      throw ProgramNotStarted(
        "there is no program \(Excerpt(name)) in \(searched); install it, or give its path")
    }
    let absolute = ProgramFile.absolute(file)
    try Self.check(absolute)
    return absolute
  }

  /// Checks that a path is that of an executable file.
  private static func check(_ path: String) throws(ProgramNotStarted) {
    let file = path.escapedForDisplay
    switch ProgramFile.state(of: path) {
    case .runnable: return
    case .missing: throw ProgramNotStarted("there is no program \(file); correct the path")
    case .notRunnable where ProgramFile.isFolder(path):
      throw ProgramNotStarted("\(file) is a folder; name a program in it")
    case .notRunnable:
      throw ProgramNotStarted("\(file) is not executable; permit it with chmod +x")
    }
  }
}
