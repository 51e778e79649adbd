import ProbeCore

/// Accepts a page with a Russian greeting, in any charset.
let greeting = ClosureValidator { response in
  let page = String(decoding: response.text.bytes, as: UTF8.self)
  return page.contains("Привет") ? .accepted : .rejectedBody(of: response, expected: "a greeting")
}
