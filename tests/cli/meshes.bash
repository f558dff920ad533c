# SPDX-License-Identifier: MIT
# Meshes by hand, for scripts. A cube from (0, 0, 0) to (1, 1, 1) in every format that is read, with the same order of
# corners, quads and triangles.
cube_corners=("0 0 0" "1 0 0" "1 1 0" "0 1 0" "0 0 1" "1 0 1" "1 1 1" "0 1 1")
# Counterclockwise seen from outside. The faces are z = 0, z = 1, y = 0, x = 1, y = 1, x = 0.
cube_quads=("3 2 1 0" "4 5 6 7" "0 1 5 4" "1 2 6 5" "2 3 7 6" "3 0 4 7")

print_little() # BYTES NUMBER: an integer, low byte first
{
    local i text=
    for ((i = 0; i < $1; i++)); do
        text+=$(printf '\\%03o' $(($2 >> 8 * i & 255)))
    done
    # shellcheck disable=SC2059 # the format is the bytes
    printf "$text"
}

print_floats() # NUMBER...: each 0 or 1, as binary32
{
    local number
    for number in "$@"; do
        if [[ $number -eq 0 ]]; then printf '\0\0\0\0'; else printf '\0\0\200\077'; fi
    done
}

# Prints the three corner numbers of each of the twelve triangles.
print_cube_triangles()
{
    local quad
    for quad in "${cube_quads[@]}"; do
        # shellcheck disable=SC2086 # words
        set -- $quad
        echo "$1 $2 $3"
        echo "$1 $3 $4"
    done
}

print_cube_numbers() # BYTES: corners as floats, then triangles as integers of BYTES bytes
{
    local corner
    for corner in "${cube_corners[@]}"; do
        # shellcheck disable=SC2086 # words
        print_floats $corner
    done
    for corner in $(print_cube_triangles); do
        print_little "$1" "$corner"
    done
}

# The JSON of a glTF with the cube, these nodes and this buffer URI.
print_cube_gltf() # NODES URI_MEMBER
{
    printf '%s' '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":['"$1"'],' \
        '"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"accessors":[' \
        '{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]},' \
        '{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],"bufferViews":[' \
        '{"buffer":0,"byteOffset":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],' \
        '"buffers":[{"byteLength":168'"$2"'}]}'
}

write_cube() # FILE FORMAT [NODES]
{
    local nodes=${3-'{"mesh":0}'} corner triangle json
    case "$2" in
    obj)
        for corner in "${cube_corners[@]}"; do echo "v $corner"; done
        for corner in "${cube_quads[@]}"; do
            # shellcheck disable=SC2086 # words
            set -- $corner
            echo "f $(($1 + 1)) $(($2 + 1)) $(($3 + 1)) $(($4 + 1))"
        done
        ;;
    ply-text | ply)
        printf 'ply\nformat %s 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n' \
            "$([[ $2 == ply ]] && echo binary_little_endian || echo ascii)"
        printf 'element face 6\nproperty list uchar int vertex_indices\nend_header\n'
        if [[ $2 == ply-text ]]; then
            printf '%s\n' "${cube_corners[@]}"
            printf '4 %s\n' "${cube_quads[@]}"
        else
            for corner in "${cube_corners[@]}"; do
                # shellcheck disable=SC2086 # words
                print_floats $corner
            done
            for corner in "${cube_quads[@]}"; do
                print_little 1 4
                for triangle in $corner; do print_little 4 "$triangle"; done
            done
        fi
        ;;
    off)
        printf 'OFF\n8 6 0\n'
        printf '%s\n' "${cube_corners[@]}"
        printf '4 %s\n' "${cube_quads[@]}"
        ;;
    stl-text)
        echo "solid cube"
        while read -r -a triangle; do
            printf 'facet normal 0 0 0\nouter loop\n'
            for corner in "${triangle[@]}"; do echo "vertex ${cube_corners[corner]}"; done
            printf 'endloop\nendfacet\n'
        done < <(print_cube_triangles)
        echo "endsolid cube"
        ;;
    stl)
        printf '%80s' "" | tr ' ' b
        print_little 4 12
        while read -r -a triangle; do
            print_floats 0 0 0
            for corner in "${triangle[@]}"; do
                # shellcheck disable=SC2086 # words
                print_floats ${cube_corners[corner]}
            done
            print_little 2 0
        done < <(print_cube_triangles)
        ;;
    gltf) print_cube_gltf "$nodes" ",\"uri\":\"data:application/octet-stream;base64,$(print_cube_numbers 2 | base64 -w 0)\"" ;;
    glb)
        json=$(print_cube_gltf "$nodes" "")
        while ((${#json} % 4 != 0)); do json+=" "; done
        printf glTF
        print_little 4 2
        print_little 4 $((12 + 8 + ${#json} + 8 + 168))
        print_little 4 ${#json}
        printf 'JSON%s' "$json"
        print_little 4 168
        printf 'BIN\0'
        print_cube_numbers 2
        ;;
    esac >"$1"
}
