#include "CProbeShims.h"

#include <openssl/asn1.h>
#include <openssl/x509.h>

unsigned long probe_distinguished_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
}
