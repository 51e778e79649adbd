import ProbeCore

/// Whether a shop responds with a page; prints the reason if not.
func isShopOpen(over transports: TransportRegistry) async throws -> Bool {
  let page = ClosureValidator { response in
    response.body.isEmpty ? .rejectedBody(of: response, expected: "a page") : .accepted
  }
  let request = ProbeRequest(try ProbeURL("https://shop.example/"))
  do {
    let response = try await Prober(transports).probe(request)
    return SuccessfulStatus.guarding(page).validate(response).isAccepted
  } catch {
    print("\(error.reason.rawValue): \(error.detail)")
    return false
  }
}
