#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#endif
