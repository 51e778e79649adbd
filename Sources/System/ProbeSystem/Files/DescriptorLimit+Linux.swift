internal import Glibc

/// The maximum number of descriptors of this process.
package var descriptorLimit: Int {
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
  return Int(clamping: limit.rlim_cur)
}
