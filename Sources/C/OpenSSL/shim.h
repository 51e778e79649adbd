#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/asn1.h>
#include <stdint.h>

// The flags for X509_NAME_print_ex that result in one line in the format of RFC 2253, with non-ASCII letters as UTF-8.
static inline unsigned long probe_distinguished_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
}

// The option for SSL_CTX_set_options that disables session tickets.
static inline uint64_t probe_no_ticket_option(void) { return SSL_OP_NO_TICKET; }

// The option for SSL_CTX_set_options that makes a server choose cipher suites in its own order.
static inline uint64_t probe_server_order_option(void) { return SSL_OP_CIPHER_SERVER_PREFERENCE; }

// The options for SSL_CTX_set_options that result in the same ClientHello as libcurl's: with workarounds for bugs of
// servers, and without tickets and compression.
static inline uint64_t probe_client_options(void) {
  return (SSL_OP_ALL & ~SSL_OP_DONT_INSERT_EMPTY_FRAGMENTS) | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET;
}
