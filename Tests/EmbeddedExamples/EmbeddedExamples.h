// SPDX-License-Identifier: Apache-2.0
// The functions of the examples, as C sees them.

#ifndef EMBEDDED_EXAMPLES_H
#define EMBEDDED_EXAMPLES_H

// Each size is in bytes, and as wide as a pointer.
typedef __INTPTR_TYPE__ size;

void sha256(const unsigned char *message, size byte_count, unsigned char digest[32]);

void hmac_sha256(const unsigned char *key, size key_byte_count, const unsigned char *message,
                 size byte_count, unsigned char code[32]);

// See SigningFunctions.swift.
size sign_request(const char *input, size byte_count, unsigned char *output, size capacity);

size presign_url(const char *input, size byte_count, size seconds, unsigned char *output,
                 size capacity);

// See Ed25519Functions.swift.
_Bool ed25519_sign(const unsigned char seed[32], const unsigned char *message, size byte_count,
                   unsigned char signature[64]);

_Bool ed25519_verify(const unsigned char key[32], const unsigned char *message, size byte_count,
                     const unsigned char signature[64]);

// See MessageFunctions.swift.
size sign_message(const char *input, size byte_count, long long unix_seconds,
                  const unsigned char seed[32], unsigned char *output, size capacity);

size verify_message(const char *input, size byte_count, long long unix_seconds,
                    const unsigned char key[32], unsigned char *output, size capacity);

#endif
