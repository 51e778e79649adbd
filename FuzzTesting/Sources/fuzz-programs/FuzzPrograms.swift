import FuzzSupport
@testable import ProbeCore
@testable import Transports
@testable import ProbeBase

/// Any bytes as the output of a program: of a monitoring plugin, and of a plugin that responds to messages.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPrograms(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  checkWork(of: count) {
    checkMonitoringPlugin(bytes)
    var conversation = Conversation()
    conversation.hold(with: bytes.split(separator: UInt8(ascii: "\n")).map(Array.init))
  }
  return 0
}

/// Checks that the values of a monitoring plugin are bounded and printable, and that each label occurs once.
private func checkMonitoringPlugin(_ output: [UInt8]) {
  let values = CheckOutput(output).values
  precondition(values.count <= PerformanceData.maximumCount, "\(values.count) values")
  precondition(Set(values.map(\.label)).count == values.count, "a label twice")
  for value in values {
    precondition(value.number.isFinite && value.number == Double(value.text), "a value of \(value.text)")
    checkSafeToPrint(value.label)
    checkSafeToPrint(value.unit)
    // A truncated or escaped label is another one when it is parsed again.
    guard !value.label.contains(where: { "'\\…|".contains($0) }),
      !value.unit.contains(where: { "\\|".contains($0) })
    else { continue }
    let again = CheckOutput(Array("OK | '\(value.label)'=\(value.text)\(value.unit);1;2".utf8)).values
    precondition(again == [value], "\(value) is parsed as \(again)")
  }
}

/// Messages for a plugin whose processes write lines; each message has one response, whatever they write.
private struct Conversation {
  private var plugin: PluginSession
  /// The messages without a response.
  private var open: Set<PluginSession.RequestID> = []
  private var isRunning = false
  private var isEnding = false
  private var wakes: Duration?
  private var now = Duration.zero

  init() {
    var program = PluginProgram("fuzzed", .validator, Program(["fuzzed"]))
    program.inFlight = 3
    plugin = PluginSession(program)
  }

  /// Sends a message before each line, and ends the process and waits for the next one if the session
  /// requests that.
  mutating func hold(with lines: [[UInt8]]) {
    for (requestID, line) in (lines + [[], []]).enumerated() {
      now += .milliseconds(1)
      open.insert(requestID)
      perform(
        plugin.enqueue(requestID, Array("\"body\":\(requestID)".utf8), deadline: now + .seconds(60), at: now))
      if isRunning { perform(plugin.receive(line, at: now)) }
      if isEnding { end() }
      if !isRunning, let time = wakes {
        now = max(now, time)
        perform(plugin.wake(at: now))
      }
    }
    for requestID in open.sorted() {
      perform(plugin.giveUp(requestID, because: .pluginTimeout, at: now))
      if isEnding { end() }
    }
    if isRunning { end() }
    precondition(open.isEmpty, "messages without an answer: \(open)")
    precondition(plugin.load == 0, "a message is still kept")
  }

  private mutating func end() {
    (isRunning, isEnding) = (false, false)
    perform(plugin.ended(.exited(0), lastError: "", at: now))
  }

  private mutating func perform(_ actions: [PluginSession.Action]) {
    for action in actions {
      switch action {
      case .start:
        precondition(!isRunning, "a second process")
        isRunning = true
      case .send(let line):
        precondition(isRunning && !isEnding, "a line for a process that is not there")
        precondition(!line.contains(UInt8(ascii: "\n")), "a message of two lines")
      case .response(let requestID, let response):
        precondition(open.remove(requestID) != nil, "a second response to \(requestID)")
        checkSafeToPrint(response.description)
      case .kill: isEnding = true
      case .wake(let time): wakes = time
      }
    }
  }
}
