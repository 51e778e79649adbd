internal import CProbeSystem
internal import Glibc
internal import ProbeBase

// Nonblocking I/O on the pipes of a program.
extension ProgramOperation {
  /// Writes queued input, and closes the pipe after its end.
  func write(on thread: LoopThread) {
    guard let child, child.input >= 0 else { return }
    let (progress, isOpen) = input.withLock { queue in
      let progress = queue.write { bytes in
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(child.input, $0.baseAddress, $0.count) }
        if count > 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
      }
      return (progress, queue.isOpen)
    }
    switch progress {
    case .full: awaitRoom(true, on: thread)
    case .empty where isOpen: awaitRoom(false, on: thread)
    // It is not an error if a program does not read all of its input.
    case .empty, .broken: dropInput(on: thread)
    }
  }

  private func awaitRoom(_ isFull: Bool, on thread: LoopThread) {
    guard isFull != awaitsRoom, let child else { return }
    awaitsRoom = isFull
    thread.change(child.input, isFull ? .writable : [])
  }

  /// Discards queued input, and closes the pipe.
  func dropInput(on thread: LoopThread) {
    input.withLock { $0.drop() }
    guard let descriptor = child?.input, descriptor >= 0 else { return }
    thread.unwatch(descriptor, isClosing: true)
    child?.closeInput()
  }

  /// Reads once from the standard output or error.
  ///
  /// - Returns: The number of bytes; 0 if there are none, or no more are needed.
  func read(_ descriptor: Int32, upTo count: Int, on thread: LoopThread) -> Int {
    guard let child, descriptor >= 0 else { return 0 }
    let room = unsafe min(count, thread.buffer.count)
    let count = unsafe Glibc.read(descriptor, thread.buffer.baseAddress, room)
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { close(descriptor, on: thread) }
      return 0
    }
    let bytes = unsafe [UInt8](thread.buffer.prefix(count))
    guard descriptor == child.output else {
      errors.add(bytes)
      return count
    }
    hasWritten = true
    if receiver?.take(bytes) == true { return count }
    close(descriptor, on: thread)
    handle(.kill(.tooMuchOutput), on: thread)
    return 0
  }

  /// Closes the pipe of the standard output or error.
  func close(_ descriptor: Int32, on thread: LoopThread) {
    guard descriptor >= 0 else { return }
    thread.unwatch(descriptor, isClosing: true)
    if descriptor == child?.output { child?.closeOutput() } else { child?.closeErrors() }
  }

  /// Reads the current contents of a pipe, which other processes may keep open and write to.
  func drain(_ descriptor: Int32, on thread: LoopThread) {
    var rest = descriptor >= 0 ? Int(widening: probe_waiting_bytes(descriptor)) : 0
    while rest > 0 {
      let count = read(descriptor, upTo: rest, on: thread)
      if count == 0 { return }
      rest -= count
    }
  }

  /// Closes all pipes.
  func closePipes(on thread: LoopThread) {
    dropInput(on: thread)
    guard let child else { return }
    close(child.output, on: thread)
    close(child.errors, on: thread)
  }
}
