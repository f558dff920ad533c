/* SPDX-License-Identifier: MIT */
/* An adapter of the conformance corpus. It intersects a ray with a triangle by Moeller and Trumbore's method in double, and implements
 * the protocol.
 *     cc -o adapter examples/adapter.c -lm && voxphys check --adapter ./adapter */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Reads three corners, an origin, a direction and t_max. Returns t, which is negative on a miss. */
static double meets(const float v[16])
{
    double edge[2][3], from[3], way[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = (double)v[3 + k] - (double)v[k];
        edge[1][k] = (double)v[6 + k] - (double)v[k];
        from[k] = (double)v[9 + k] - (double)v[k];
        way[k] = (double)v[12 + k];
    }
    cross(way, edge[1], p);
    cross(from, edge[0], q);
    const double area = dot(edge[0], p), u = dot(from, p) / area, w = dot(way, q) / area, t = dot(edge[1], q) / area;
    return area != 0.0 && u >= 0.0 && w >= 0.0 && u + w <= 1.0 && t <= (double)v[15] ? t : -1.0;
}

int main(void)
{
    char line[4096], family[32];
    long number;
    int read;
    while (fgets(line, sizeof line, stdin) != NULL) {
        uint32_t bits[16];
        float v[16];
        int count = 0, finite = 1;
        if (strncmp(line, "hello ", 6) == 0) {
            printf("hello 1 example-c 1.0\ncan ray-triangle\n");
        } else if (sscanf(line, "%ld %31s %n", &number, family, &read) == 2) {
            for (const char *at = line + read; count < 16 && sscanf(at, "%8x %n", &bits[count], &read) == 1; at += read)
                count++;
            memcpy(v, bits, sizeof v);
            for (int i = 0; i < 15 && count == 16; i++)
                finite = finite && isfinite(v[i]);
            const double t = count == 16 && finite ? meets(v) : -1.0;
            const float rounded = (float)t;
            memcpy(bits, &rounded, sizeof rounded);
            if (count != 16 || !finite)
                printf("%ld refused not 16 numbers, or one that is not finite\n", number);
            else if (t < 0.0)
                printf("%ld none\n", number);
            else
                printf("%ld hit %08x\n", number, (unsigned)bits[0]);
        }
        fflush(stdout);
    }
    return 0;
}
