package import ProbeCore

/// A response from a server, with its redirect recorded as a prober does.
package func fakeResponse(
  _ text: String, _ status: Int? = 200, fields: HeaderFields = [:], body: String = "",
  from address: String? = nil
) throws -> ProbeResponse {
  let url = try ProbeURL(text)
  let head = status.map { HTTPResponseHead(status: $0, fields: fields) }
  return ProbeResponse(
    url: url, head: head, body: Array(body.utf8),
    redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [],
    remoteAddress: address.flatMap { IPAddress($0) }.map { SocketAddress($0, port: url.port ?? 1) })
}
