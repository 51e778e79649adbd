import Glibc
public import ProbeCore

/// The probe whose answers are fuzzed.
public let probedURL: ProbeURL = {
  do throws(InvalidInput) {
    return try ProbeURL("http://probe.example/check?x=1")
  } catch {
    preconditionFailure("\(error)")
  }
}()

/// Checks what holds for each place to log in that is offered: a browser opens it, and nobody is misled by its text.
public func checkOffered(_ url: ProbeURL) {
  precondition(url.scheme == .http || url.scheme == .https, "a place of the scheme \(url.scheme)")
  checkURL(url)
}

/// Checks what holds for each URL: it is of visible ASCII, has no credentials, and its text is read as itself.
public func checkURL(_ url: ProbeURL) {
  let bytes = Array(url.description.utf8)
  precondition(bytes.allSatisfy { (0x21...0x7E).contains($0) }, "bytes that cannot be seen: \(bytes)")
  precondition(bytes.count <= ProbeURL.maximumLength, "a URL of \(bytes.count) bytes")
  let behindScheme = bytes.dropFirst(url.scheme.description.utf8.count + 3)
  precondition(
    !behindScheme.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
      .contains(UInt8(ascii: "@")), "credentials in \(url)")
  do throws(InvalidInput) {
    let again = try ProbeURL(url.description)
    precondition(again == url, "\(url) is read as \(again)")
    precondition(again.host == url.host && again.port == url.port, "\(url) has another host when read again")
  } catch {
    preconditionFailure("\(url) is not read again: \(error)")
  }
}

/// Checks that a text can be shown on a terminal: no control character, and none that changes the direction.
public func checkSafeToPrint(_ text: String) {
  precondition(
    !text.unicodeScalars.contains(where: \.mustBeEscapedForDisplay), "not safe: \(Array(text.utf8))")
}

/// Checks that something takes less than a second of work; the sanitizer and the coverage take their time, too.
public func checkWork(of count: Int, _ body: () -> Void) {
  let before = processorTime()
  body()
  precondition(processorTime() - before < 1, "more than a second of work for \(count) bytes")
}

/// The time this process has worked, in seconds.
private func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
