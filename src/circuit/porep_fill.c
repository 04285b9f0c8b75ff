/* Filling the witness of one partition: the prologue on the calling thread, then each challenge as a task of its own,
 * since repetitions of the period share nothing that is written. */
#include "base/alloc.h"
#include "circuit/label.h"
#include "circuit/porep_circuit.h"
#include "circuit/porep_hashes.h"

struct weir_porep_filler {
    const weir_porep_shape *shape;
    weir_porep_hashes hashes;
};

weir_err weir_porep_filler_new(weir_porep_filler **out, const weir_porep_shape *shape,
                               weir_errinfo *ei)
{
    *out = NULL;
    weir_porep_filler *f = weir_calloc(1, sizeof *f);
    if (!f) return weir_fail(ei, WEIR_E_NOMEM, "no memory for hash constants");
    f->shape = shape;
    weir_err err = weir_porep_hashes_init(&f->hashes, shape, ei);
    if (err == WEIR_OK)
        *out = f;
    else
        weir_free(f);
    return err;
}

void weir_porep_filler_free(weir_porep_filler *f)
{
    if (!f) return;
    weir_porep_hashes_clear(&f->hashes);
    weir_free(f);
}

/* One partition being filled; read only for the tasks, but for what is theirs alone. */
typedef struct job {
    weir_witness *w;
    const weir_porep_filler *f;
    const weir_porep_input *in;
    const weir_porep_challenge *challenge; /* the partition's first */
    const weir_exec *x;
    weir_fill_word replica_id[8];
    weir_fill_stats *stats; /* one a challenge */
    bool *done;             /* one a challenge: wrote exactly its columns */
} job;

static weir_filler filler_for(const job *j, unsigned segment, uint64_t rep)
{
    return (weir_filler){.p = weir_witness_packer(j->w, segment, rep),
                         .poseidon = weir_poseidon_ops_get(j->x->isa)};
}

static bool fill_prologue(job *j)
{
    const weir_porep_input *in = j->in;
    weir_filler f = filler_for(j, 0, 0);
    weir_num replica_id, comm_d, comm_r, pair[2]; /* comm_c, comm_r_last */
    weir_num_from_node(&replica_id, in->replica_id.b);
    weir_num_from_node(&comm_d, in->comm_d.b);
    weir_num_from_node(&comm_r, in->comm_r.b);
    weir_num_from_node(&pair[0], j->challenge->c_x.path.root.b);
    weir_num_from_node(&pair[1], j->challenge->r_last.root.b);
    weir_fill_words_of_number(j->replica_id, &replica_id.s);

    weir_fill_alloc(&f, &replica_id.m);
    weir_fill_inputize(&f, &replica_id.m);
    weir_fill_bits255(&f, &replica_id.s);
    weir_fill_alloc(&f, &comm_d.m);
    weir_fill_inputize(&f, &comm_d.m);
    weir_fill_alloc(&f, &comm_r.m);
    weir_fill_inputize(&f, &comm_r.m);
    weir_fill_alloc(&f, &pair[1].m);
    weir_fill_alloc(&f, &pair[0].m);
    weir_fr preimage[2] = {pair[0].m, pair[1].m}, hash;
    weir_fill_poseidon(&f, j->f->hashes.arity[2], &hash, preimage);
    j->stats[0].poseidon_hashes += f.poseidon_hashes;
    return weir_witness_packer_done(j->w, 0, 0, &f.p);
}

typedef weir_num column[WEIR_POREP_MAX_LAYERS];

static void column_hash(weir_filler *f, const weir_porep_filler *pf, weir_num *out,
                        const weir_num *labels)
{
    weir_fr preimage[WEIR_POREP_MAX_LAYERS];
    for (unsigned i = 0; i < pf->shape->layers; i++) preimage[i] = labels[i].m;
    weir_fill_poseidon(f, pf->hashes.arity[pf->shape->layers], &out->m, preimage);
}

static void inclusion(weir_filler *f, const weir_tree *t, const weir_num *leaf,
                      const weir_path *path)
{
    weir_fill_inclusion(f, t, leaf, path->index, (const uint8_t(*)[32])path->siblings);
}

static void fill_parent(weir_filler *f, const weir_porep_filler *pf, column labels,
                        const weir_column_proof *proof)
{
    weir_num hash;
    for (unsigned i = 0; i < pf->shape->layers; i++) {
        weir_num_from_node(&labels[i], proof->rows[i].b);
        weir_fill_alloc(f, &labels[i].m);
    }
    column_hash(f, pf, &hash, labels);
    inclusion(f, &pf->hashes.cr, &hash, &proof->path);
}

static void fill_labeling(weir_filler *f, const job *j, column labels, uint64_t node,
                          const column *parents)
{
    for (unsigned layer = 1; layer <= j->f->shape->layers; layer++) {
        const weir_num *p[WEIR_POREP_PARENTS];
        unsigned n = 0;
        for (; n < WEIR_POREP_DRG_PARENTS; n++) p[n] = &parents[n][layer - 1];
        if (layer > 1)
            for (; n < WEIR_POREP_PARENTS; n++) p[n] = &parents[n][layer - 2];
        for (unsigned i = 0; i < n; i++) weir_fill_bits255(f, &p[i]->s);
        weir_fill_label(f, &labels[layer - 1], j->replica_id, layer, node, p, n);
    }
}

static void fill_challenge(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    job *j = ctx;
    if (weir_exec_cancelled(j->x)) return;
    const weir_porep_filler *pf = j->f;
    const weir_porep_challenge *c = &j->challenge[task];
    weir_filler f = filler_for(j, 1, task);
    column parents[WEIR_POREP_PARENTS], labels;
    weir_num data, encoded, hash;

    weir_num_from_node(&data, c->d.leaf.b);
    weir_fill_alloc(&f, &data.m);
    inclusion(&f, &pf->hashes.d, &data, &c->d);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++)
        fill_parent(&f, pf, parents[i], &c->parents[i]);
    pack_u64(&f.p, c->node);
    weir_fill_input_u64(&f, c->node);
    fill_labeling(&f, j, labels, c->node, (const column *)parents);
    weir_fill_add(&f, &encoded.m, &labels[pf->shape->layers - 1].m, &data.m);
    inclusion(&f, &pf->hashes.cr, &encoded, &c->r_last);
    column_hash(&f, pf, &hash, labels);
    inclusion(&f, &pf->hashes.cr, &hash, &c->c_x.path);

    j->done[task] = weir_witness_packer_done(j->w, 1, task, &f.p);
    j->stats[task].sha256_compressions += f.sha256_compressions;
    j->stats[task].poseidon_hashes += f.poseidon_hashes;
}

static weir_err run(job *j, unsigned challenges, weir_fill_stats *stats, weir_errinfo *ei)
{
    bool ok = fill_prologue(j);
    weir_pool_run(j->x->pool, challenges, fill_challenge, j);
    if (weir_exec_cancelled(j->x))
        return weir_fail(ei, WEIR_E_CANCELLED, "cancelled while filling the witness");
    weir_fill_stats sum = {0};
    for (unsigned i = 0; i < challenges; i++) {
        ok = ok && j->done[i];
        sum.sha256_compressions += j->stats[i].sha256_compressions;
        sum.poseidon_hashes += j->stats[i].poseidon_hashes;
    }
    if (stats) *stats = sum;
    if (!ok)
        return weir_fail(ei, WEIR_E_INTERNAL, "filling wrote other columns than the circuit has");
    return WEIR_OK;
}

weir_err weir_porep_fill(weir_witness *w, const weir_porep_filler *f, const weir_porep_input *in,
                         unsigned partition, weir_fill_stats *stats, const weir_exec *x,
                         weir_errinfo *ei)
{
    uint64_t challenges = w->rel->segments > 1 ? w->rel->segment[1].count : 0;
    if (in->shape != f->shape || in->challenges != challenges)
        return weir_fail(
            ei, WEIR_E_MISMATCH, "the input has %u challenges of %s, the circuit %llu of %s",
            in->challenges, in->shape->name, (unsigned long long)challenges, f->shape->name);
    if (partition >= in->partitions)
        return weir_fail(ei, WEIR_E_USAGE, "partition %u of an input with %u", partition,
                         in->partitions);
    job j = {.w = w,
             .f = f,
             .in = in,
             .challenge = in->challenge + (size_t)partition * in->challenges,
             .x = x};
    j.stats = weir_calloc(in->challenges, sizeof *j.stats);
    j.done = weir_calloc(in->challenges, sizeof *j.done);
    weir_err err = j.stats && j.done
                       ? run(&j, in->challenges, stats, ei)
                       : weir_fail(ei, WEIR_E_NOMEM, "no memory for %u challenges", in->challenges);
    weir_free(j.stats);
    weir_free(j.done);
    return err;
}
