public import ProbeCore

extension JSONValidator {
  /// Each condition, and several tests.
  public static var examples: [ValidatorExample<Options>] {
    func test(_ pointer: String, _ change: (inout Test) -> Void = { _ in }) -> Options {
      var test = Test(at: pointer)
      change(&test)
      return Options([test])
    }
    return [
      ValidatorExample(
        test("/checks/db") { $0.equals = .text("pass") }, accepts: #"{"checks":{"db":"pass"}}"#,
        rejects: #"{"checks":{"db":"fail"}}"#),
      ValidatorExample(
        test("/status") { $0.in = [.text("pass"), .null, .integer(1)] }, accepts: #"{"status":1.0}"#,
        rejects: #"{"status":true}"#),
      ValidatorExample(
        test("/version") { test in
          test.matches = MatchesValidator.Options(pattern: "^(?<major>[0-9]+)[.]")
          test.capture = "version"
        }, accepts: #"{"version":"4.2"}"#, rejects: #"{"version":4.2}"#),
      ValidatorExample(
        test("/queue/0") { ($0.above, $0.below) = (.integer(0), .number(0.5)) },
        accepts: #"{"queue":[0.25]}"#,
        rejects: #"{"queue":[0.5]}"#),
      ValidatorExample(
        test("/error") { $0.exists = false }, accepts: #"{"status":"pass"}"#, rejects: #"{"error":null}"#),
      ValidatorExample(
        Options([Test(at: "/a~1b"), Test(at: "", equals: .mapping(["a/b": .list([.boolean(true)])]))]),
        accepts: #"{"a/b":[true]}"#, rejects: "<html>log in first</html>"),
    ]
  }
}
