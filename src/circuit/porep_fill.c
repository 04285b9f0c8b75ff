/* Filling the witness of one partition: the prologue on the calling thread, then each challenge as a task of its own,
 * since repetitions of the period share nothing that is written. */
#include "base/alloc.h"
#include "circuit/label.h"
#include "circuit/porep_circuit.h"
#include "circuit/porep_hashes.h"

struct weir_porep_filler {
    const weir_porep_shape *shape;
    weir_porep_hashes hashes;
    weir_stretch path_stretch;   /* a path in C or R-last */
    weir_stretch column_stretch; /* a column hash and its path in C */
};

weir_err weir_porep_filler_new(weir_porep_filler **out, const weir_porep_shape *shape,
                               weir_errinfo *ei)
{
    *out = NULL;
    weir_porep_filler *f = weir_calloc(1, sizeof *f);
    if (!f) return weir_fail(ei, WEIR_E_NOMEM, "no memory for hash constants");
    f->shape = shape;
    weir_err err = weir_porep_hashes_init(&f->hashes, shape, ei);
    if (err != WEIR_OK) {
        weir_free(f);
        return err;
    }
    const unsigned trace = weir_poseidon_trace_len(f->hashes.arity[shape->layers]);
    f->path_stretch = weir_fill_inclusion_stretch(&f->hashes.cr);
    f->column_stretch = f->path_stretch;
    f->column_stretch.columns += trace;
    f->column_stretch.dense += trace;
    *out = f;
    return WEIR_OK;
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

/* The labels of a parent, from the input. */
static void fill_rows(weir_filler *f, const weir_porep_filler *pf, column labels,
                      const weir_column_proof *proof)
{
    for (unsigned i = 0; i < pf->shape->layers; i++) {
        weir_num_from_node(&labels[i], proof->rows[i].b);
        weir_fill_alloc(f, &labels[i].m);
    }
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

/* ---- the paths of a challenge, side by side
 *
 * In the order of the circuit a challenge is: data and its path in D | 14 parents, each its labels, column hash and path |
 * node, labels, replica | the replica's path | the own column hash and path. 15 column hashes and then 16 paths do not wait
 * for each other, once the labels are there. So one filler writes all else and leaves these stretches out, and a lane for
 * each fills them afterwards. */
enum {
    LANE_OWN = WEIR_POREP_PARENTS, /* the challenged node's column, behind those of the parents */
    LANE_REPLICA,
    COLUMNS = LANE_REPLICA,
    LANES
};

_Static_assert((int)LANES <= (int)WEIR_FILL_LANES, "one lane for each path");

typedef struct lanes {
    weir_filler f[LANES];
    weir_packer end[LANES]; /* where the lane's stretch ends */
    weir_num leaf[LANES];
    weir_fill_path path[LANES];
    weir_fr column[COLUMNS * WEIR_POREP_MAX_LAYERS]; /* labels, a column after the other */
} lanes;

static weir_fill_path path_of(const weir_path *p)
{
    return (weir_fill_path){p->index, (const uint8_t(*)[32])p->siblings};
}

/* The lane begins where f stands; f goes on behind the lane's stretch. */
static void open_lane(lanes *l, unsigned i, weir_filler *f, const weir_path *path,
                      const weir_stretch *stretch)
{
    l->f[i] = (weir_filler){.p = f->p, .poseidon = f->poseidon};
    l->path[i] = path_of(path);
    pack_skip(&f->p, stretch);
    l->end[i] = f->p;
}

static void open_column(lanes *l, unsigned i, weir_filler *f, const weir_porep_filler *pf,
                        const column labels, const weir_path *path)
{
    const unsigned layers = pf->shape->layers;
    for (unsigned k = 0; k < layers; k++) l->column[i * layers + k] = labels[k].m;
    open_lane(l, i, f, path, &pf->column_stretch);
}

/* False if a lane wrote another number of columns than was left out for it. */
static bool fill_lanes(lanes *l, const weir_porep_filler *pf, weir_fill_stats *stats)
{
    weir_fr hash[COLUMNS];
    bool ok = true;
    weir_fill_poseidons(l->f, COLUMNS, pf->hashes.arity[pf->shape->layers], hash, l->column);
    for (unsigned i = 0; i < COLUMNS; i++) l->leaf[i].m = hash[i];
    weir_fill_inclusions(l->f, LANES, &pf->hashes.cr, l->leaf, l->path);
    for (unsigned i = 0; i < LANES; i++) {
        stats->poseidon_hashes += l->f[i].poseidon_hashes;
        ok = ok && pack_meets(&l->f[i].p, &l->end[i]);
    }
    return ok;
}

static void fill_challenge(void *ctx, size_t task, unsigned worker)
{
    (void)worker;
    job *j = ctx;
    if (weir_exec_cancelled(j->x)) return;
    const weir_porep_filler *pf = j->f;
    const weir_porep_challenge *c = &j->challenge[task];
    const weir_fill_path data_path = path_of(&c->d);
    weir_filler f = filler_for(j, 1, task);
    column parents[WEIR_POREP_PARENTS], labels;
    weir_num data;
    lanes l = {0};

    weir_num_from_node(&data, c->d.leaf.b);
    weir_fill_alloc(&f, &data.m);
    weir_fill_inclusion(&f, &pf->hashes.d, &data, &data_path);
    for (unsigned i = 0; i < WEIR_POREP_PARENTS; i++) {
        fill_rows(&f, pf, parents[i], &c->parents[i]);
        open_column(&l, i, &f, pf, parents[i], &c->parents[i].path);
    }
    pack_u64(&f.p, c->node);
    weir_fill_input_u64(&f, c->node);
    fill_labeling(&f, j, labels, c->node, (const column *)parents);
    weir_fill_add(&f, &l.leaf[LANE_REPLICA].m, &labels[pf->shape->layers - 1].m, &data.m);
    open_lane(&l, LANE_REPLICA, &f, &c->r_last, &pf->path_stretch);
    open_column(&l, LANE_OWN, &f, pf, labels, &c->c_x.path);

    weir_fill_stats *stats = &j->stats[task];
    j->done[task] = fill_lanes(&l, pf, stats) && weir_witness_packer_done(j->w, 1, task, &f.p);
    stats->sha256_compressions += f.sha256_compressions;
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
