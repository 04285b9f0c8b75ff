/* What proof_kind.c and proof_job.c share. Private to them. */
#ifndef WEIR_ENGINE_PROOF_STATE_H
#define WEIR_ENGINE_PROOF_STATE_H

#include "engine/proof_job.h"

typedef struct proof_session {
    weir_session *session; /* NULL: closed */
    weir_bytes bytes;      /* reserved */
} proof_session;

struct weir_proof_kind {
    weir_proof_kind_config config;
    uint32_t devices, aside; /* bit d: device d takes its jobs; is there for repairs */
    uint32_t cached;         /* bit d: the cache opens and closes its session */
    uint64_t key;            /* the cache's number; 0: none */
    proof_session session[WEIR_ENGINE_MAX_DEVICES];
    weir_bytes kept
        [WEIR_ENGINE_MAX_DEVICES]; /* of the host's, for cached ones: reserved also while the key is away */
};

/* Reserves and begins. Errors: as weir_proof_kind_new's; nothing is held then. */
weir_err proof_session_open(weir_proof_kind *k, proof_session *s, uint32_t device,
                            const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
/* The session of device d, which must be given back; opened first if it has to be. Errors: as above; those of the cache. */
weir_err proof_session_take(weir_proof_kind *k, weir_session **out, uint32_t device,
                            const weir_exec *x, weir_errinfo *ei) WEIR_MUST_USE;
void proof_session_give(weir_proof_kind *k, uint32_t device);
void proof_session_close(weir_proof_kind *k, proof_session *s, uint32_t device);

#endif
