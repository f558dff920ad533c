# SPDX-License-Identifier: MIT
# small_sets FOLDER: the data sets of the source, made small. Meshes are of the small world terrain-l2, also in worlds that are wandered
# over or edited. Each set has 4096 rays or boxes, and so it has no hash. VOXPHYS_DATA names the folder, for tests that run every
# benchmark of trees or terrain.
small_sets()
{
    mkdir -p "$1" && jq '[.sets[] | select(.name == "chunks-degenerate")][0].count as $chunks
        | ([.sets[] | select(.name == "terrain-l2")][0]) as $small
        | .sets |= map(if .name == "terrain-dram" or .name == "terrain-230k" then . as $large | $small | .name = $large.name
            elif .kind == "meshes" then del(.hash) | .world = "terrain-l2"
                | if .generator == "mesh" then .params |= map_values(0) else .count = $chunks end
            elif .kind == "rays" or .kind == "mesh-boxes" then del(.hashes) | .count = 4096
            else . end)' "$VOXPHYS_SOURCE/datasets/manifest.json" >"$1/manifest.json"
}
