import ProbeServer
import ProbeCore
import ProbePipeline

extension ServedPipeline {
  /// The pipeline with the parameters of a request.
  ///
  /// - Parameters:
  ///   - query: The parameters.
  ///   - name: The name of the module.
  /// - Returns: The pipeline.
  /// - Throws: Status 400 if the pipeline does not have a parameter, or its value is invalid.
  func setting(
    _ query: [HTTPServiceRequest.Item], of name: String
  ) throws(HTTPServiceFault) -> ServedPipeline {
    var values: [String: String] = [:]
    for parameter in query {
      guard parameters.contains(parameter.name) else {
        if (RequestParameters.reserved + ["target"]).contains(parameter.name) { continue }
        let known = parameters.isEmpty ? "params in its file lists none" : "use \(parameters.alternatives)"
        throw HTTPServiceFault(
          status: 400, "the pipeline \(Excerpt(name)) has no parameter \(Excerpt(parameter.name)) (\(known))")
      }
      guard values[parameter.name] == nil else {
        throw HTTPServiceFault(status: 400, "the parameter \(parameter.name) is given more than once")
      }
      values[parameter.name] = parameter.value
    }
    do throws(InvalidInput) { return try setting(values) } catch {
      throw HTTPServiceFault(status: 400, "a parameter cannot be used: \(error)")
    }
  }
}
