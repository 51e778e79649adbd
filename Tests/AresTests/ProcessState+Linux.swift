import Glibc

/// Sets variables of the environment; for a process of the test's own.
func setVariables(_ variables: [String: String]) {
  for (name, value) in variables { unsafe setenv(name, value, 1) }
}

struct DescriptorFlags: Hashable {
  var closesOnExec: Bool
  var blocks: Bool
}

func descriptorFlags(_ descriptor: Int32) -> DescriptorFlags {
  DescriptorFlags(
    closesOnExec: fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0,
    blocks: fcntl(descriptor, F_GETFL) & O_NONBLOCK == 0)
}

/// Does something while this process may open no descriptor; for a process of the test's own.
func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var before = rlimit()
  unsafe getrlimit(resource, &before)
  var none = before
  none.rlim_cur = 0
  unsafe setrlimit(resource, &none)
  defer { unsafe setrlimit(resource, &before) }
  return body()
}
