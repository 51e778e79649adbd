import Glibc
@testable import ProbeBase
public import ProbeCore

/// The URL of the probe whose responses are fuzzed.
public let probedURL: ProbeURL = {
  do throws(InvalidInput) {
    return try ProbeURL("http://probe.example/check?x=1")
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// Checks an offered login URL: a browser can open it, and its text misleads no one.
public func checkOffered(_ url: ProbeURL) {
  precondition(url.scheme == .http || url.scheme == .https, "a login URL of the scheme \(url.scheme)")
  checkURL(url)
}

/// Checks a URL: it is visible ASCII, has no credentials, and its text is parsed as the same URL.
public func checkURL(_ url: ProbeURL) {
  let bytes = Array(url.description.utf8)
  precondition(bytes.allSatisfy { (0x21...0x7E).contains($0) }, "invisible bytes: \(bytes)")
  precondition(bytes.count <= ProbeURL.maximumLength, "a URL of \(bytes.count) bytes")
  let behindScheme = bytes.dropFirst(url.scheme.description.utf8.count + 3)
  precondition(
    !behindScheme.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      .contains(UInt8(ascii: "@")), "credentials in \(url)")
  do throws(InvalidInput) {
    let again = try ProbeURL(url.description)
    precondition(again == url, "\(url) is parsed as \(again)")
    precondition(again.host == url.host && again.port == url.port, "\(url) has another host the second time")
  } catch {
    preconditionFailure("\(url) cannot be parsed again: \(error)")
  }
}

/// Checks that a text is safe for a terminal: no control character, and none that changes the direction.
public func checkSafeToPrint(_ text: String) {
  precondition(
    !text.unicodeScalars.contains(where: \.mustBeEscapedForDisplay), "not safe: \(Array(text.utf8))")
}

/// Checks that a function takes less than this number of seconds of work, including that of the sanitizer and the
/// coverage.
public func checkWork(of count: Int, seconds: Double = 1, _ body: () -> Void) {
  let before = processorTime()
  body()
  precondition(processorTime() - before < seconds, "more than \(seconds) s of work for \(count) bytes")
}

/// The processor time of this process, in seconds.
private func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
