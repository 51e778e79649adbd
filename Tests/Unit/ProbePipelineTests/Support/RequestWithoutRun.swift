import ProbeCore

extension ProbeRequest {
  /// The request without its references to the run, for a test to keep: the run refers to the test's transport.
  var withoutRun: ProbeRequest {
    var request = self
    (request.cookies, request.furtherReading) = (nil, nil)
    return request
  }
}
