# SPDX-License-Identifier: MIT
# small_sets FOLDER: data sets as in the source, but meshes are of the small world terrain-l2 and there are 4096 rays and boxes
# of each set; so they have no hashes. Worlds that are wandered over or edited are that small one too. For tests that run every
# benchmark of trees or of terrain. Use it as VOXPHYS_DATA.
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
