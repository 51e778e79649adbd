#include "CProbeShims.h"

#include <openssl/asn1.h>
#include <openssl/crypto.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// On first use, OpenSSL reads a configuration file, such as that of OPENSSL_CONF, which may lower the security level or
// load modules. The first initialization applies to the whole process, and libcurl's would read that file, so this one
// runs before all other code.
//
// Without OPENSSL_INIT_NO_ATEXIT, exit(3) would free the data of the library while other threads may still be using it.
__attribute__((constructor)) static void probe_start_openssl(void) {
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, NULL);
}

unsigned long probe_distinguished_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
}

uint64_t probe_no_ticket_option(void) { return SSL_OP_NO_TICKET; }

uint64_t probe_server_order_option(void) { return SSL_OP_CIPHER_SERVER_PREFERENCE; }

uint64_t probe_client_options(void) {
  return (SSL_OP_ALL & ~SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS) | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET;
}
