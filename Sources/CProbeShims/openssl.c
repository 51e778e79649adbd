#include "CProbeShims.h"

#include <openssl/asn1.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

unsigned long probe_distinguished_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
}

uint64_t probe_no_ticket_option(void) { return SSL_OP_NO_TICKET; }
