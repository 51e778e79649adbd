import FuzzSupport
import ProbeCore
import ProbeKit

/// Any bytes as a JSON Pointer in the first line, and a response body after it: the result is safe to print,
/// and equivalent conditions have the same result.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
  let pointer = String(decoding: line, as: UTF8.self)
  var response = ProbeResponse.example()
  response.body = Array(bytes.dropFirst(line.count + 1))
  checkWork(of: count) {
    do throws(InvalidInput) {
      try check(pointer, response)
    } catch {
      checkSafeToPrint(error.description)
    }
  }
  return 0
}

private func check(_ pointer: String, _ response: ProbeResponse) throws(InvalidInput) {
  func judge(_ change: (inout JSONValidator.Test) -> Void) throws(InvalidInput) -> Validation {
    var test = JSONValidator.Test(at: pointer)
    change(&test)
    let validation = try JSONValidator(options: .init([test])).validate(response)
    if let rejection = validation.rejection { checkSafeToPrint(rejection.description) }
    return validation
  }
  let found = try judge { $0.capture = "value" }
  let missing = try judge { $0.exists = false }
  precondition(!found.isAccepted || !missing.isAccepted, "a value that exists and does not exist")
  precondition(found.isAccepted == (found.captures["value"] != nil), "a value that is not captured")
  // Each number is on one side of a bound, or equal to it.
  for bound in [JSONValidator.Value.integer(0), .integer(.max), .number(9_007_199_254_740_992)] {
    let above = try judge { $0.above = bound }.isAccepted
    let below = try judge { $0.below = bound }.isAccepted
    let equal = try judge { $0.equals = bound }.isAccepted
    precondition([above, below, equal].count(where: \.self) <= 1, "on several sides of \(bound)")
  }
  // A captured value is JSON, unless it is a string.
  guard let text = found.captures["value"] else { return }
  var again = response
  again.body = Array(text.utf8)
  let whole = try JSONValidator(options: .init([JSONValidator.Test(at: "")])).validate(again)
  let isString = try judge { $0.matches = .init(pattern: "") }.isAccepted
  precondition(isString || whole.isAccepted, "captured as \(text), which is not JSON")
}
