import ProbeCore
import TextDecoding

/// Accepts a page that greets in Russian, in whichever charset it is written.
let greeting = ClosureValidator { response in
  let page = String(decoding: response.text.bytes, as: UTF8.self)
  return page.contains("Привет") ? .accepted : .rejectedBody(of: response, expected: "a greeting")
}
