/* Inverses of one value a thread with one inversion a lane of one warp: a building block of kernels in phases
 * (gpu_phase.h), an include-template.
 *
 * Before including, define
 *   B_(name)   the prefix; F_(name) that of the field; B_FIELD its type
 *
 * A binary tree of products: node i has the children 2i and 2i + 1, leaf t is node `threads` + t. Products go up to
 * the 32 nodes 32 .. 63, one warp inverts these, one a lane, and the inverse of a child is that of its parent times its
 * sibling's product.
 * Cost: 3 products a value but for the upper five levels; the path is log2(threads / 32) products up, one inversion, as
 * many products down. Shared memory: 2 values a thread.
 * Source: Montgomery's trick (Montgomery 1987, section 10.3.1) on a tree.
 *
 * Use: B_(block_inv_phase)(k, ...), k = 0 .. B_(block_inv_phases)(threads) - 1, one for each phase of the kernel in a row. threads: a power of
 * two, at least 32. In: *value, not zero, in phase 0. Out: *value = its inverse in the last phase; tree: 2 threads values.
 * The kernel may use the tree's memory for other things after a barrier.
 */

WEIR_HD int B_(block_inv_levels)(uint32_t threads)
{
    int levels = 0;
    for (uint32_t n = threads; n > WEIR_WARP; n /= 2) levels++;
    return levels;
}

/* Leaves, the levels up, the inversion, two phases a level down, of which the last needs no second one. */
WEIR_HD int B_(block_inv_phases)(uint32_t threads)
{
    int levels = B_(block_inv_levels)(threads);
    return levels == 0 ? 2 : 3 * levels + 1;
}

WEIR_HD void B_(block_inv_phase)(int k, B_FIELD *tree, B_FIELD *value, const weir_dpos *at)
{
    int levels = B_(block_inv_levels)(at->threads);
    uint32_t t = at->thread;
    if (k == 0) {
        tree[at->threads + t] = *value;
    } else if (k <= levels) {
        uint32_t n = at->threads >> k; /* nodes of this level: n .. 2n - 1 */
        if (t >= n) return;
        B_FIELD left = tree[2 * (n + t)], right = tree[2 * (n + t) + 1], product;
        F_(mul)(&product, &left, &right);
        tree[n + t] = product;
    } else if (k == levels + 1) {
        if (t >= WEIR_WARP) return;
        B_FIELD x = tree[WEIR_WARP + t];
        F_(inv)(value, &x);
        tree[WEIR_WARP + t] = *value;
    } else {
        /* Down: each thread below n is one child; it reads its parent and its sibling in one phase, writes in the next. */
        int step = k - levels - 2;
        uint32_t n = (2u * WEIR_WARP) << (step / 2);
        if (t >= n) return;
        if (step % 2 == 0) {
            B_FIELD parent = tree[(n + t) / 2], sibling = tree[(n + t) ^ 1];
            F_(mul)(value, &parent, &sibling);
        } else {
            tree[n + t] = *value;
        }
    }
}
