/* SPDX-License-Identifier: MIT */
/* Output of `voxphys simulate`. */
#include <inttypes.h>
#include <jansson.h>

#include "host/program.h"
#include "tools/simulate/simulate.h"

static vp_sim_times add_times(vp_sim_times a, const vp_sim_times *b)
{
    a.edits += b->edits;
    a.broadphase += b->broadphase;
    a.pairs += b->pairs;
    a.ground += b->ground;
    a.solve += b->solve;
    a.sleep += b->sleep;
    return a;
}

/* Totals and extremes over all steps. Counts are those of the last step. */
typedef struct run_totals {
    vp_sim_stats last;
    vp_sim_times seconds;
    double deepest, lowest, first_energy, most_energy;
    uint32_t most_awake, most_contacts, truncated, pushed_out;
} run_totals;

static run_totals sum_up(const vp_sim_results *r)
{
    run_totals w = {0};
    for (uint32_t i = 0; i < r->steps; i++) {
        const vp_sim_stats *s = &r->step[i].stats;
        w.seconds = add_times(w.seconds, &s->seconds);
        w.deepest = s->deepest > w.deepest ? s->deepest : w.deepest;
        w.lowest = i == 0 || s->lowest < w.lowest ? s->lowest : w.lowest;
        w.first_energy = i == 0 ? s->energy : w.first_energy;
        w.most_energy = i == 0 || s->energy > w.most_energy ? s->energy : w.most_energy;
        w.most_awake = s->awake > w.most_awake ? s->awake : w.most_awake;
        w.most_contacts = s->contacts > w.most_contacts ? s->contacts : w.most_contacts;
        w.truncated += s->truncated;
        w.pushed_out += s->pushed_out;
        w.last = *s;
    }
    return w;
}

/* ---- JSON ---- */

static json_t *times_json(const vp_sim_times *t)
{
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "edits_seconds", t->edits, "broadphase_seconds", t->broadphase, "pairs_seconds",
                     t->pairs, "ground_seconds", t->ground, "solve_seconds", t->solve, "sleep_seconds", t->sleep);
}

static json_t *step_json(uint32_t number, const vp_sim_step_result *step)
{
    const vp_sim_stats *s = &step->stats;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:o, s:o}", "step", (json_int_t)number, "bodies",
                     (json_int_t)s->bodies, "awake", (json_int_t)s->awake, "islands", (json_int_t)s->islands, "pairs", (json_int_t)s->pairs,
                     "contacts", (json_int_t)s->contacts, "touching", (json_int_t)s->touching, "woken", (json_int_t)s->woken, "slept",
                     (json_int_t)s->slept, "deepest", s->deepest, "energy", s->energy, "lowest", s->lowest, "parts",
                     times_json(&s->seconds), "digest", vp_json_hex(step->digest));
}

static json_t *body_json(const vp_sim *sim, uint32_t number)
{
    const vp_sim_body b = vp_sim_body_of(sim, number);
    return json_pack("{s:[f, f, f], s:[f, f, f, f], s:[f, f, f], s:[f, f, f], s:f, s:f, s:I, s:b, s:b}", "position", b.position[0],
                     b.position[1], b.position[2], "rotation", b.rotation[0], b.rotation[1], b.rotation[2], b.rotation[3], "velocity",
                     b.velocity[0], b.velocity[1], b.velocity[2], "spin", b.spin[0], b.spin[1], b.spin[2], "mass", b.mass, "submerged",
                     b.submerged, "shapes", (json_int_t)b.shapes, "awake", (int)b.awake, "lost", (int)b.lost);
}

static json_t *edit_json(const vp_sim_edit_result *e)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "step", (json_int_t)e->step, "chunks", (json_int_t)e->edited.chunks, "regions",
                     (json_int_t)e->edited.regions, "voxels", (json_int_t)e->edited.voxels, "crumbled", (json_int_t)e->edited.crumbled,
                     "woken", (json_int_t)e->edited.woken);
}

int vp_sim_print_json(const vp_sim_results *r)
{
    const run_totals w = sum_up(r);
    json_t *each = json_array(), *bodies = json_array(), *edits = json_array();
    for (uint32_t i = 0; i < r->steps; i++)
        json_array_append_new(each, step_json(i + 1, &r->step[i]));
    for (uint32_t i = 0; i < vp_sim_body_count(r->sim); i++)
        json_array_append_new(bodies, body_json(r->sim, i));
    for (size_t i = 0; i < r->edits; i++)
        json_array_append_new(edits, edit_json(&r->edit[i]));
    return vp_print_json(json_pack(
        "{s:o, s:s, s:o, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:{s:f, s:f, s:f}, s:I, s:I, s:f, s:o, s:o, s:o, s:o, s:o, s:o}",
        "source", vp_json_name(r->source), "ground",
        r->ground->is_blocks       ? "blocks"
        : r->ground->world != NULL ? "terrain"
                                   : "none",
        "hash_checked", r->ground->content == VP_CONTENT_OF_FILE ? json_null() : json_boolean(r->ground->content == VP_CONTENT_CHECKED),
        "steps", (json_int_t)r->steps, "step", r->scene->def.step, "substeps", (json_int_t)r->scene->def.substeps, "threads",
        (json_int_t)r->threads, "awake", (json_int_t)w.last.awake, "most_awake", (json_int_t)w.most_awake, "lost", (json_int_t)w.last.lost,
        "most_contacts", (json_int_t)w.most_contacts, "deepest", w.deepest, "lowest", w.lowest, "energy", "first", w.first_energy, "most",
        w.most_energy, "last", w.last.energy, "truncated", (json_int_t)w.truncated, "pushed_out", (json_int_t)w.pushed_out, "seconds",
        r->seconds, "parts", times_json(&w.seconds), "edits", edits, "bodies", bodies, "each", each, "digest", vp_json_hex(r->digest),
        "record", vp_json_path(r->record)));
}

/* ---- text ---- */

int vp_sim_print_text(const vp_sim_results *r, bool each)
{
    const run_totals w = sum_up(r);
    const vp_sim_times *t = &w.seconds;
    const double steps = r->steps > 0 ? r->steps : 1, ms = 1e3 / steps;
    for (uint32_t i = 0; each && i < r->steps; i++) {
        const vp_sim_stats *s = &r->step[i].stats;
        printf("step %-5u %u awake, %u contacts, energy %.6g, lowest %.4f, %.3f ms, digest %016" PRIx64 "\n", i + 1, s->awake, s->contacts,
               s->energy, s->lowest,
               (s->seconds.edits + s->seconds.broadphase + s->seconds.pairs + s->seconds.ground + s->seconds.solve) * 1e3,
               r->step[i].digest);
    }
    printf("scene    %s: %u %s on %s\n", r->source, vp_sim_body_count(r->sim), vp_sim_body_count(r->sim) == 1 ? "body" : "bodies",
           r->ground->is_blocks       ? "blocks"
           : r->ground->world != NULL ? "terrain"
                                      : "nothing");
    printf("steps    %u of %.4g s, in %u small steps; %.3f ms, %.4f ms a step on %u thread%s\n", r->steps, r->scene->def.step,
           r->scene->def.substeps, r->seconds * 1e3, r->seconds * ms, r->threads, vp_plural(r->threads));
    printf("parts    edits %.4f, broadphase %.4f, pairs %.4f, ground %.4f, solve %.4f, sleep %.4f ms a step\n", t->edits * ms,
           t->broadphase * ms, t->pairs * ms, t->ground * ms, t->solve * ms, t->sleep * ms);
    printf("bodies   %u awake, at most %u; %u lost below y %g\n", w.last.awake, w.most_awake, w.last.lost, VP_SIM_LOWEST);
    printf("contacts %u points, at most %u; deepest %.4f", w.last.contacts, w.most_contacts, w.deepest);
    if (w.truncated + w.pushed_out > 0)
        printf("; %u truncated, %u pushed out", w.truncated, w.pushed_out);
    printf("\nenergy   %.6g, at first %.6g, at most %.6g\n", w.last.energy, w.first_energy, w.most_energy);
    printf("lowest   %.4f, at least %.4f\n", w.last.lowest, w.lowest);
    for (size_t i = 0; i < r->edits; i++) {
        const vp_sim_edited *e = &r->edit[i].edited;
        printf("edit     before step %u: %u chunk%s, %u bod%s of %u voxels, %u crumbled, %u woken\n", r->edit[i].step, e->chunks,
               vp_plural(e->chunks), e->regions, e->regions == 1 ? "y" : "ies", e->voxels, e->crumbled, e->woken);
    }
    printf("digest   %016" PRIx64 "\n", r->digest);
    if (r->record != NULL)
        printf("recorded %s: %u frames, %" PRIu64 " bytes\n", r->record, r->written.frames, r->written.bytes);
    return VP_EXIT_DONE;
}
