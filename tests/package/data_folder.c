/* SPDX-License-Identifier: MIT */
/* Prints the folder of the data sets, or why it was not found. */
#include <stdio.h>

#include "datasets/manifest_data.h"

int main(void)
{
    vp_manifest *manifest;
    vp_error error;
    if (vp_manifest_open(NULL, &manifest, &error) != VP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("%s is taken\n", vp_manifest_folder(manifest));
    vp_manifest_close(manifest);
    return 0;
}
