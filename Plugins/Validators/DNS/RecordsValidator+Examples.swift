public import ProbeCore

extension RecordsValidator {
  /// A value, a response code, and records of another type with bounds of their times to live.
  public static var examples: [ValidatorExample<Options>] {
    let address = DNSRecord(name: "www.example.", timeToLive: .seconds(300), type: "A", data: "192.0.2.1")
    let exchange = DNSRecord(
      name: "example.", timeToLive: .seconds(3600), type: "MX", data: "10 mail.example.")
    let other = DNSRecord(
      name: "example.", timeToLive: .seconds(3600), type: "MX", data: "20 mail.example.")
    return [
      ValidatorExample(
        Options(values: ["192.0.2.1"]), accepts: .example("www.example.", "A", [address]),
        rejects: .example("www.example.", "A", [])),
      ValidatorExample(
        Options(rcodes: ["NXDOMAIN"]), accepts: .example("no.example.", "A", [], .noSuchName),
        rejects: .example("no.example.", "A", [address])),
      ValidatorExample(
        Options(
          values: ["10 mail.example"], exactly: true, type: "MX",
          matches: MatchesValidator.Options(pattern: "IN\\tMX"),
          ttl: TimeBounds(min: "1m", max: "1d"), authenticated: false),
        accepts: .example("example.", "MX", [exchange]),
        rejects: .example("example.", "MX", [exchange, other])),
    ]
  }
}

extension ProbeResponse {
  fileprivate static func example(
    _ name: String, _ type: String, _ records: [DNSRecord], _ code: DNSResponseCode = .noError
  ) -> ProbeResponse {
    var response = example()
    response.head = nil
    response.dns = DNSFacts(name: name, type: type, code: code)
    response.dns?.answer = records
    response.body = Array(records.map { "\($0)\n" }.joined().utf8)
    return response
  }
}
