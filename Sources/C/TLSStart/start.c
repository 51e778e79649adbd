#include "CProbeTLSStart.h"

#include <openssl/crypto.h>

// On first use, OpenSSL reads a configuration file, such as that of OPENSSL_CONF, which may lower the security level or
// load modules. The first initialization applies to the whole process, and libcurl's would read that file, so this one
// runs before all other code.
//
// Without OPENSSL_INIT_NO_ATEXIT, exit(3) would free the data of the library while other threads may still be using it.
__attribute__((constructor)) static void probe_start_openssl(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

void probe_tls_start(void) {}
