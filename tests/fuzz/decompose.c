/* SPDX-License-Identifier: MIT */
/* Bytes as a file of hulls, OBJ or JSON, and as a triangle soup that is decomposed. A reader returns finite points and valid corners. A
 * decomposition has each triangle once and contains its corners, does not depend on the order, and may be cancelled anywhere. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tape.h"

#include <math.h>

#include <voxphys/decompose.h>

#include "host/hulls/hulls.h"

enum { MAX_POINTS = 24, MAX_TRIANGLES = 32 };

static void read_hulls(const uint8_t *bytes, size_t size, bool json)
{
    vp_hulls hulls = {0};
    vp_error error;
    const vp_status status = json ? vp_hulls_read_json(bytes, size, &hulls, &error) : vp_hulls_read_obj(bytes, size, &hulls, &error);
    FUZZ_CHECK(status == VP_OK || status == VP_E_FORMAT);
    for (uint32_t h = 0; status == VP_OK && h < hulls.count; h++) {
        const vp_hulls_one *one = &hulls.one[h];
        FUZZ_CHECK(one->points > 0 && one->points <= hulls.points - one->point && one->triangles <= hulls.triangles - one->triangle);
        for (uint32_t i = 0; i < one->points; i++) {
            const vp_vec3 p = hulls.point[one->point + i];
            FUZZ_CHECK(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
        }
        for (uint32_t t = 0; t < one->triangles; t++)
            for (int k = 0; k < 3; k++)
                FUZZ_CHECK(hulls.triangle[one->triangle + t][k] < one->points);
    }
    FUZZ_CHECK(status != VP_OK || hulls.count > 0);
    vp_hulls_destroy(&hulls);
}

typedef struct soup {
    vp_vec3 point[MAX_POINTS], turned_point[MAX_POINTS];
    uint32_t triangle[MAX_TRIANGLES][3], turned[MAX_TRIANGLES][3];
} soup;

static bool count_down(void *user, uint64_t done, uint64_t total)
{
    uint32_t *left = user;
    FUZZ_CHECK(done <= total);
    return (*left)-- != 0;
}

/* Each triangle is in one hull. */
static void check_whole(const vp_decomposition *d, uint32_t triangles)
{
    bool seen[MAX_TRIANGLES] = {false};
    uint32_t count = 0;
    FUZZ_CHECK(d->hull_count > 0);
    for (uint32_t h = 0; h < d->hull_count; h++) {
        FUZZ_CHECK(d->hull[h].reach >= 0.0 && d->hull[h].reach <= d->lengths.concavity);
        for (uint32_t i = 0; i < d->hull[h].triangle_count; i++, count++) {
            const uint32_t t = d->hull[h].triangle[i];
            FUZZ_CHECK(t < triangles && !seen[t]);
            seen[t] = true;
        }
    }
    FUZZ_CHECK(count == triangles);
}

static void check_same(const vp_decomposition *a, const vp_decomposition *b)
{
    FUZZ_CHECK(a->hull_count == b->hull_count && a->counts.predictions == b->counts.predictions && a->counts.drops == b->counts.drops);
    for (uint32_t h = 0; h < a->hull_count; h++) {
        const vp_decomposition_hull *p = &a->hull[h], *q = &b->hull[h];
        FUZZ_CHECK(p->point_count == q->point_count && memcmp(p->point, q->point, p->point_count * sizeof *p->point) == 0);
        FUZZ_CHECK(p->hull.triangle_count == q->hull.triangle_count && p->node == q->node);
        FUZZ_CHECK(memcmp(&p->error, &q->error, sizeof p->error) == 0);
    }
}

static void decompose(tape *t)
{
    static soup s;
    const uint8_t options = next(t), cancel = next(t);
    const uint32_t points = 1 + next(t) % MAX_POINTS, triangles = 1 + next(t) % MAX_TRIANGLES;
    const float step = options % 4 == 1 ? 0x1p-60f : options % 4 == 2 ? 0x1p+60f : 1.0f, away = options % 8 == 7 ? 1000.0f : 0.0f;
    for (uint32_t i = 0; i < points; i++)
        s.point[i] = (vp_vec3){((float)(next(t) % 16) + away) * step, (float)(next(t) % 16) * step, (float)(next(t) % 16) * step};
    for (uint32_t i = 0; i < triangles; i++)
        for (int k = 0; k < 3; k++)
            s.triangle[i][k] = next(t) % points;
    for (uint32_t i = 0; i < points; i++)
        s.turned_point[points - 1 - i] = s.point[i];
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t k = 0; k < 3; k++)
            s.turned[triangles - 1 - i][k] = points - 1 - s.triangle[i][(k + i) % 3];
    vp_decomposition_def def = {.point = s.point,
                                .point_count = points,
                                .triangle_count = triangles,
                                .triangle = (const uint32_t(*)[3])s.triangle,
                                .concavity = options & 8 ? 200.0f : 0.0f,
                                .quantization = options & 16 ? 70.0f : 0.0f,
                                .spacing = 100.0f,
                                .reach = options % 32 == 1 ? 60.0f : 0.0f,
                                .rows = options & 32 ? 2 : 0,
                                .exact = cancel % 2 != 0,
                                .flat = options & 64 ? VP_DECOMPOSITION_FLAT_RAYS : VP_DECOMPOSITION_FLAT_AREA,
                                .min_hulls = options & 128 ? 3 : 0};
    vp_decomposition first = {0}, again = {0};
    vp_error error;
    FUZZ_CHECK(vp_decomposition_create(&def, &first, &error) == VP_OK);
    check_whole(&first, triangles);
    def.point = s.turned_point;
    def.triangle = (const uint32_t(*)[3])s.turned;
    FUZZ_CHECK(vp_decomposition_create(&def, &again, &error) == VP_OK);
    check_same(&first, &again);
    vp_decomposition_destroy(&again);
    uint32_t left = cancel;
    def.watch = &(vp_decomposition_watch){.user = &left, .progress = count_down};
    const vp_status status = vp_decomposition_create(&def, &again, &error);
    FUZZ_CHECK(status == VP_OK || (status == VP_E_LIMIT && left == UINT32_MAX));
    if (status == VP_OK)
        vp_decomposition_destroy(&again);
    vp_decomposition_destroy(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    if (bytes[0] == '{' || bytes[0] == '#')
        read_hulls(bytes, size, bytes[0] == '{');
    else
        decompose(&(tape){bytes, size});
    return 0;
}
