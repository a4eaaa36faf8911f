/*
 * regress/unit/kem_stub.h - a key encapsulation for tests.  It keeps no secret:
 * rmux must never be linked with it.
 */
#ifndef REGRESS_KEM_STUB_H
#define REGRESS_KEM_STUB_H

#include "ssp/kem.h"

extern const struct ssp_kem kem_stub;

#endif
