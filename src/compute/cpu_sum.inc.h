/* The sum of a section's points times a query's values, an include-template over the group. Before including, define
 *   S_(name)     name with the group's suffix, for example name##_g1
 *   S_AFFINE, S_JACOBIAN   the point types
 *   S_ADD        the member of weir_curve_ops that adds two Jacobian points
 * and have dense_sum with the group's suffix, the sum over dense columns.
 */

/* One piece after another: decode it, add up the points whose bit is set, and put the dense columns' points aside.
 * `points` holds a piece, `dense` the first n_dense points put aside. */
static weir_err S_(sum_pieces)(S_JACOBIAN *out, weir_key_reader *reader, weir_key_section section,
                               const weir_cpu_query *q, size_t piece, S_AFFINE *points,
                               S_AFFINE *dense, uint64_t n_dense, weir_errinfo *ei)
{
    const weir_exec *x = reader->x;
    const weir_curve_ops *ops = weir_curve_ops_get(x->isa);
    uint64_t d = 0;
    for (uint64_t first = 0; first < q->len; first += piece) {
        size_t n = q->len - first < piece ? (size_t)(q->len - first) : piece;
        S_JACOBIAN part;
        WEIR_TRY(S_(weir_key_reader)(reader, section, first, n, points, ei));
        WEIR_TRY(S_(weir_sum_bits)(&part, points, q->bits + first / 64, n, x, ei));
        ops->S_ADD(out, out, &part);
        for (; d < n_dense && q->dense_point[d] < first + n; d++)
            dense[d] = points[q->dense_point[d] - first];
        weir_exec_progress(x, weir_key_section_names[section], first + n, q->len);
    }
    return WEIR_OK;
}

weir_err S_(weir_cpu_sum)(S_JACOBIAN *out, weir_key_reader *reader, weir_key_section section,
                          const weir_cpu_query *q, unsigned parts, weir_errinfo *ei)
{
    const weir_exec *x = reader->x;
    size_t piece = parts & WEIR_CPU_BITS ? piece_points(q->len, x) : 0;
    uint64_t n_dense = parts & WEIR_CPU_DENSE ? q->dense : 0;
    weir_err err = WEIR_OK;
    S_JACOBIAN part;
    S_AFFINE *points = weir_slab_take(x->slabs, piece, sizeof *points);
    S_AFFINE *dense = weir_slab_take(x->slabs, n_dense, sizeof *dense);
    *out = (S_JACOBIAN){0};
    if (!points || !dense) {
        err = weir_fail(ei, WEIR_E_NOMEM, "no memory for %llu points of the key's section %s",
                        (unsigned long long)(piece + n_dense), weir_key_section_names[section]);
        goto out;
    }
    if (parts & WEIR_CPU_BITS)
        WEIR_TRY_GOTO(S_(sum_pieces)(out, reader, section, q, piece, points, dense, n_dense, ei));
    else
        WEIR_TRY_GOTO(
            S_(weir_key_reader_picked)(reader, section, q->dense_point, n_dense, dense, ei));
    if (n_dense > 0) {
        WEIR_TRY_GOTO(S_(dense_sum)(&part, dense, q->dense_value, n_dense, x, ei));
        weir_curve_ops_get(x->isa)->S_ADD(out, out, &part);
    }
out:
    weir_slab_give(x->slabs, points, piece, sizeof *points);
    weir_slab_give(x->slabs, dense, n_dense, sizeof *dense);
    return err;
}

#undef S_
#undef S_AFFINE
#undef S_JACOBIAN
#undef S_ADD
