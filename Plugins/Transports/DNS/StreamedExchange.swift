internal import ByteStreams
internal import ProbeCore
internal import ProbeStreams

/// A query over TCP (RFC 7766), usually because the response did not fit into a datagram, or over TLS
/// (RFC 7858).
struct StreamedExchange {
  let query: DNSQuery
  let id: UInt16
  let message: [UInt8]
  /// Whether the connection uses TLS.
  let encryption: Encryption
  /// The start of the whole probe.
  let start: ContinuousClock.Instant
  /// The partial response of the exchange over UDP, and the server that responded; nil if there was none.
  let earlier: (response: ProbeResponse, server: SocketAddress)?

  /// Sends the query, and receives the response.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  func response(to request: ProbeRequest, over streams: StreamConnector) async throws(ProbeFailure)
    -> ProbeResponse
  {
    var onward = request
    onward.timeout -= start.duration(to: .now)
    guard onward.timeout > .zero else {
      throw ProbeFailure(.responseTimeout, "no time was left to ask over TCP", partial: earlier?.response)
    }
    if let server = earlier?.server {
      // Connect to the same server, which the address rules have allowed.
      onward.connectTo = [
        ConnectTo(host: nil, port: nil, targetHost: server.address.description, targetPort: server.port)
      ]
    }
    let (response, dns) = try await responses(to: onward, over: streams)
    return response.with(dns, maxBody: request.maxBody)
  }

  private func responses(
    to request: ProbeRequest, over streams: StreamConnector
  ) async throws(ProbeFailure) -> (ProbeResponse, DNSResponse) {
    do throws(ProbeFailure) {
      let stream = try await streams.connect(forChecked: request, encryption: encryption, tunnels: true)
      let sendTime = ContinuousClock.now
      try await stream.write(
        [UInt8(truncatingIfNeeded: message.count >> 8), UInt8(truncatingIfNeeded: message.count)] + message)
      let head = try await read(2, from: stream)
      let responseTime = sendTime.duration(to: .now)
      let bytes = try await read(Int(widening: head[0]) << 8 | Int(widening: head[1]), from: stream)
      var response = stream.response
      if earlier == nil { response.timings.firstByte = responseTime }
      do throws(LDNSError) {
        return (completed(response), try DNSResponse(bytes, to: query, id: id))
      } catch {
        throw ProbeFailure(.dnsFailure, "the response is not valid: \(error.words)", partial: response)
      }
    } catch {
      throw ProbeFailure(
        error.reason, (encryption == .encrypted ? "" : "over TCP: ") + error.detail,
        partial: (error.partial ?? earlier?.response).map(completed))
    }
  }

  private func read(_ count: Int, from stream: ByteStream) async throws(ProbeFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try await stream.read(upTo: count - bytes.count)
      guard !more.isEmpty else {
        throw stream.failure(.bodyShort, "the server closed the connection before the end of the response")
      }
      bytes += more
    }
    return bytes
  }

  /// The response with the timings of the whole probe.
  private func completed(_ response: ProbeResponse) -> ProbeResponse {
    var response = response
    response.timings.total = start.duration(to: .now)
    response.body = []
    guard let earlier = earlier?.response else { return response }
    response.url = earlier.url
    response.timings.resolve = earlier.timings.resolve
    response.timings.firstByte = earlier.timings.firstByte
    response.connection = earlier.connection
    return response
  }
}
