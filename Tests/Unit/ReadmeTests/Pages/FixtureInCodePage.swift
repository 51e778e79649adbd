import FixtureReplay
import ProbePipeline

/// A portal that opens after its form was sent.
let lobby = Fixture(
  name: "lobby", expectation: FixtureExpectation([.captivePortal], loginURL: "http://login.example/welcome"),
  initialState: "captive",
  routes: [
    ReplayRoute(
      "form", when: RouteCondition(method: "POST", host: "login.example"),
      response: .respond(ComposedResponse(status: 204)), goto: "open"),
    ReplayRoute(
      "redirect", when: RouteCondition(state: "captive"),
      response: .respond(ComposedResponse(status: 302, headers: ["Location: http://login.example/welcome"]))),
    ReplayRoute("anything", response: .respond(ComposedResponse(status: 204))),
  ])
