import Glibc

/// The sanitizer that watches this process, if one does.
package enum Sanitizer {
  /// Whether the address sanitizer does, which delays the release of memory, so that the memory use is not meaningful.
  package static var isAddressSanitizer: Bool { unsafe dlsym(nil, "__asan_init") != nil }

  /// Whether the address or the thread sanitizer does.
  package static var isPresent: Bool { unsafe isAddressSanitizer || dlsym(nil, "__tsan_init") != nil }
}
