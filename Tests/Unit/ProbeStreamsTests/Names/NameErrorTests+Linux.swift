@testable import ProbeStreams
import Glibc
import Testing

@Suite struct NameErrorTests {
  @Test(
    arguments: [
      (.noSuchName, .noSuchHost), (.noData, .noSuchHost), (.badName, .noSuchHost),
      (.timeout, .failed("no DNS server answered")), (.noServers, .failed("no DNS server can be reached")),
      (.serverFailure, .failed("the DNS server failed (SERVFAIL)")), (.cancelled, .cancelled),
      (.noMemory, .noMemory("its words")), (.noDescriptors, .noDescriptors("its words")),
      (.other, .failed("Its words")),
    ] as [(AresError.Code, NameError)])
  func errorsOfAresAreConverted(_ code: AresError.Code, _ expected: NameError) {
    #expect(NameError(AresError(code, "Its words")) == expected)
  }

  @Test(
    arguments: [
      (EAI_NONAME, 0, .noSuchHost), (-5, 0, .noSuchHost),
      (EAI_AGAIN, 0, .failed("temporary failure in name resolution")),
      (EAI_MEMORY, 0, .noMemory("cannot allocate memory")), (EAI_SYSTEM, EIO, .failed("input/output error")),
      (EAI_SYSTEM, EMFILE, .noDescriptors("too many open files")),
      (EAI_SYSTEM, ENOMEM, .noMemory("cannot allocate memory")),
    ] as [(Int32, Int32, NameError)])
  func errorsOfTheSystemResolverAreConverted(_ code: Int32, _ systemCode: Int32, _ expected: NameError) {
    #expect(NameError(resolver: code, systemCode: systemCode) == expected)
  }

  @Test func aDescriptorShortageIsNotADNSFailure() async {
    await #expect(processExitsWith: .success) {
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      var before = rlimit()
      unsafe getrlimit(resource, &before)
      var none = before
      none.rlim_cur = 0
      unsafe setrlimit(resource, &none)
      let error = NameError(resolver: EAI_AGAIN, systemCode: 0)
      // Sanitizers need descriptors at exit.
      unsafe setrlimit(resource, &before)
      try #require(error == .noDescriptors("too many open files"))
    }
  }
}
