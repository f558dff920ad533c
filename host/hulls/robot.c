/* SPDX-License-Identifier: MIT */
/* Robots of convex hulls: URDF, whose links refer to files, and MJCF, which contains the points. Numbers of masses have 17 digits. */
#include "host/hulls/hulls.h"

/* Prints a text as the value of an attribute. */
static void put_text(vp_bytes *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&' || *text == '<' || *text == '"' || (*text > '\0' && *text < ' '))
            vp_bytes_print(out, "&#%d;", *text);
        else
            vp_bytes_add(out, text, 1);
    }
}

static void put_attribute(vp_bytes *out, const char *name, const char *text)
{
    vp_bytes_print(out, " %s=\"", name);
    put_text(out, text);
    vp_bytes_add(out, "\"", 1);
}

/* ---- URDF ---- */

static void put_link(const vp_hulls *hulls, uint32_t object, const char *path, vp_bytes *out)
{
    const vp_hulls_object *o = &hulls->object[object];
    const double *i = o->mass.inertia, *c = o->mass.centre;
    vp_bytes_print(out, "  <link");
    put_attribute(out, "name", o->name);
    vp_bytes_print(out, ">\n    <inertial>\n      <origin xyz=\"%.17g %.17g %.17g\"/>\n      <mass value=\"%.17g\"/>\n", c[0], c[1], c[2],
                   o->mass.mass);
    vp_bytes_print(out, "      <inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\" izz=\"%.17g\"/>\n", i[0], i[3],
                   i[5], i[1], i[4], i[2]);
    vp_bytes_print(out, "    </inertial>\n");
    for (uint32_t h = 0; h < hulls->count; h++) {
        if (hulls->one[h].object != object)
            continue;
        vp_bytes_print(out, "    <collision");
        put_attribute(out, "name", vp_hulls_name_of(hulls, h).text);
        vp_bytes_print(out, "><geometry><mesh");
        put_attribute(out, "filename", vp_name_in_folder(vp_hulls_beside(path, h).text));
        vp_bytes_print(out, "/></geometry></collision>\n");
    }
    vp_bytes_print(out, "  </link>\n");
}

/* A robot is a tree, so the first link holds the others. */
static void put_joint(const vp_hulls *hulls, uint32_t object, vp_bytes *out)
{
    const char *name = hulls->object[object].name;
    vp_bytes_print(out, "  <joint");
    put_attribute(out, "name", name);
    vp_bytes_print(out, " type=\"fixed\"><parent");
    put_attribute(out, "link", hulls->object[0].name);
    vp_bytes_print(out, "/><child");
    put_attribute(out, "link", name);
    vp_bytes_print(out, "/></joint>\n");
}

void vp_hulls_urdf(const vp_hulls *hulls, const char *maker, const char *path, vp_bytes *out)
{
    vp_bytes_print(out, "<?xml version=\"1.0\"?>\n<!-- %s: %u convex hulls -->\n<robot", maker, hulls->count);
    put_attribute(out, "name", hulls->object[0].name);
    vp_bytes_print(out, ">\n");
    for (uint32_t o = 0; o < hulls->objects; o++)
        put_link(hulls, o, path, out);
    for (uint32_t o = 1; o < hulls->objects; o++)
        put_joint(hulls, o, out);
    vp_bytes_print(out, "</robot>\n");
}

/* ---- MJCF ---- */

static void put_mesh(const vp_hulls *hulls, uint32_t hull, vp_bytes *out)
{
    const vp_hulls_one *one = &hulls->one[hull];
    vp_bytes_print(out, "    <mesh");
    put_attribute(out, "name", vp_hulls_name_of(hulls, hull).text);
    vp_bytes_print(out, " vertex=\"");
    for (uint32_t i = one->point; i < one->point + one->points; i++)
        vp_bytes_print(out, "%s%.9g %.9g %.9g", i != one->point ? " " : "", (double)hulls->point[i].x, (double)hulls->point[i].y,
                       (double)hulls->point[i].z);
    vp_bytes_print(out, "\"/>\n");
}

static void put_body(const vp_hulls *hulls, uint32_t object, vp_bytes *out)
{
    const vp_hulls_object *o = &hulls->object[object];
    const double *i = o->mass.inertia, *c = o->mass.centre;
    vp_bytes_print(out, "    <body");
    put_attribute(out, "name", o->name);
    vp_bytes_print(out, ">\n      <inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\"", c[0], c[1], c[2], o->mass.mass);
    vp_bytes_print(out, " fullinertia=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n", i[0], i[1], i[2], i[3], i[5], i[4]);
    for (uint32_t h = 0; h < hulls->count; h++) {
        if (hulls->one[h].object != object)
            continue;
        vp_bytes_print(out, "      <geom type=\"mesh\"");
        put_attribute(out, "mesh", vp_hulls_name_of(hulls, h).text);
        vp_bytes_print(out, "/>\n");
    }
    vp_bytes_print(out, "    </body>\n");
}

void vp_hulls_mjcf(const vp_hulls *hulls, const char *maker, vp_bytes *out)
{
    vp_bytes_print(out, "<!-- %s: %u convex hulls -->\n<mujoco", maker, hulls->count);
    put_attribute(out, "model", hulls->object[0].name);
    vp_bytes_print(out, ">\n  <asset>\n");
    for (uint32_t h = 0; h < hulls->count; h++)
        put_mesh(hulls, h, out);
    vp_bytes_print(out, "  </asset>\n  <worldbody>\n");
    for (uint32_t o = 0; o < hulls->objects; o++)
        put_body(hulls, o, out);
    vp_bytes_print(out, "  </worldbody>\n</mujoco>\n");
}
