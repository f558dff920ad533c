#!/bin/bash
# SPDX-License-Identifier: MIT
# package.sh STEP [ISA...]: installs this build, and uses the library as other projects do. The steps install and shared prepare the
# others. The ISAs are those that its programs have through SIMDe.
set -euo pipefail
step=$1
simde=("${@:2}")
here=$VOXPHYS_SOURCE/tests/package
work=$VOXPHYS_BUILD/tests/package
mkdir -p "$work"
configure() # FOLDER SOURCE [ARGUMENT...]
{
    rm -rf "${work:?}/$1"
    cmake -G Ninja -S "$2" -B "$work/$1" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=Release "${@:3}" >"$work/$1.log" 2>&1 ||
        { cat "$work/$1.log"; exit 1; }
}

build() # FOLDER
{
    cmake --build "$work/$1" >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }
}

# Expected output of the examples: a crater is as deep as its sphere, a cube has the sides that hull.h documents, an oak's trunk is where
# its seed was. Only the game itself knows where its character stops.
check_example() # PROGRAM EXAMPLE
{
    "$1" | diff "$here/$2.txt" - || { echo "FAIL: $1 prints something else (>) than expected (<)"; exit 1; }
}

# A file that begins like a map or a picture is read by its library, or the message names the library that this build lacks.
check_import() # PROGRAM WITH, the modules that the importers were built with
{
    local module head message
    check_example "$1" import
    "$1" "$VOXPHYS_SOURCE/datasets/luanti/luanti.vpw" | grep -qx '256 x 128 x 256 voxels' || { echo "FAIL: $1 and a world file"; exit 1; }
    for module in sqlite3:'SQLite format 3\0' libpng:'\211PNG'; do
        printf '%b' "${module#*:}" >"$work/head"
        module=${module%%:*}
        message=$("$1" "$work/head" 2>&1) && { echo "FAIL: $1 takes the head of a file"; exit 1; }
        head="$work/head: reading a "
        if [[ " $2 " == *" $module "* ]]; then
            [[ $message != *"$head"* && $message == *head:* ]]
        else
            [[ $message == *"$head"*" needs $module, and this build has none" ]]
        fi || { echo "FAIL: with \"$2\", for a file of $module, $1 says: $message"; exit 1; }
    done
}

check_installed() # FOLDER PREFIX
{
    configure "$1" "$here/installed" -DLANGUAGES=C -DEXAMPLES="$VOXPHYS_SOURCE/examples" -DCMAKE_PREFIX_PATH="$2"
    build "$1"
    for example in terrain hull scene grow blocks decompose collide loose solver; do
        check_example "$work/$1/$example" $example
    done
    check_import "$work/$1/import" "$(sed -n 's/^Requires: voxphys = [^ ]*//p' "$(find "$2" -name voxphys-import.pc)")"
    if compgen -G "$2/lib*/libvoxphys-openmp.*" >/dev/null; then
        "$work/$1/threads" | diff <(echo "some chunks with masks, 0 differ") -
    fi
}

check_game() # PROGRAM: also in a real world
{
    check_example "$1" game
    "$1" "$VOXPHYS_SOURCE/datasets/luanti/luanti.vpw" | tail -n 1 |
        diff <(tail -n 1 "$here/game.txt") - || { echo "FAIL: the game in a real world"; exit 1; }
}

# Kernels of other architectures are internal to this build, so neither the library nor its package files contain them.
check_native() # LIBRARY PREFIX
{
    for isa in "${simde[@]}"; do
        if "$NM" "$1" | grep "_$isa$"; then
            echo "FAIL: $1 has kernels of $isa"
            exit 1
        fi
        "$NM" "$VOXPHYS_BUILD/libvoxphys_whole.a" | grep "_$isa$" >/dev/null || { echo "FAIL: this build has no kernels of $isa"; exit 1; }
    done
    if grep -ri simde "$2"/lib*/cmake "$2"/lib*/pkgconfig; then
        echo "FAIL: what was installed in $2 speaks of SIMDe"
        exit 1
    fi
}

check_pkg_config() # PREFIX LIBM [OPTION]: whether --libs contains the mathematical library
{
    local flags
    PKG_CONFIG_PATH=$(dirname "$(find "$1" -name voxphys.pc)") pkg-config --libs ${3+"$3"} voxphys | tr ' ' '\n' | { grep -x -e -lm || true; } |
        diff <(printf '%s' "${2:+$2$'\n'}") - || { echo "FAIL: pkg-config --libs ${3-} has this (>) instead of \"$2\""; exit 1; }
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name voxphys.pc)") pkg-config --cflags --libs "voxphys >= 0.1")
    # shellcheck disable=SC2086 # the flags are words
    "$CC" -std=c17 "$VOXPHYS_SOURCE/examples/terrain.c" $flags -Wl,-rpath,"$1/lib" -o "$work/pkg-config"
    check_example "$work/pkg-config" terrain
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name voxphys.pc)") pkg-config --cflags --libs voxphys-import)
    # shellcheck disable=SC2086
    "$CC" -std=c17 "$VOXPHYS_SOURCE/examples/import.c" $flags -Wl,-rpath,"$1/lib" -o "$work/pkg-config-import"
    check_example "$work/pkg-config-import" import
}

case "$step" in
install)
    # Installed in one place and then moved, so nothing may depend on the original place.
    rm -rf "$work"/prefix "$work"/moved
    cmake --install "$VOXPHYS_BUILD" --prefix "$work/prefix" >"$work/install.log"
    mv "$work/prefix" "$work/moved"
    docs=$(find "$work/moved" -path '*/share/doc/voxphys' -type d)
    grep -rhoE 'docs/[A-Za-z0-9_/-]+\.[a-z]+' "$work/moved/include" | sort -u >"$work/cited"
    [[ -n $docs && $(wc -l <"$work/cited") -ge 10 ]] || { echo "FAIL: no documents, or headers cite too few"; exit 1; }
    while read -r page; do
        [[ -f $docs/${page#docs/} ]] || { echo "FAIL: a header cites $page, which is not installed"; exit 1; }
    done <"$work/cited"
    ;;
data)
    # A program that was built with missing data folders names the remedy, and uses the folders once they exist.
    unset VOXPHYS_DATA
    data=$work/data
    rm -rf "$data"
    mkdir -p "$data/bin"
    cp "$VOXPHYS_BUILD/tests/package_data_folder" "$data/bin/"
    expect_folder() # PART
    {
        local printed
        printed=$("$data/bin/package_data_folder" 2>&1) || true
        [[ $printed == *"$1"* ]] || { echo "FAIL: expected \"$1\", got \"$printed\""; exit 1; }
    }
    expect_folder "or in $data/fixed; set VOXPHYS_DATA to their folder"
    for folder in fixed source share/voxphys chosen; do
        mkdir -p "$data/$folder"
        echo '{"version": 1, "sets": []}' >"$data/$folder/manifest.json"
        [[ $folder != chosen ]] || export VOXPHYS_DATA=$data/chosen
        expect_folder "/$folder is taken"
    done
    VOXPHYS_DATA=$data/absent expect_folder "VOXPHYS_DATA: cannot open"
    unset VOXPHYS_DATA
    # The installed program uses the installed data, so a change of that data has an effect.
    cp -r "$work/moved" "$data/moved"
    manifest=$(find "$data/moved" -name manifest.json)
    sed -i 's/"name": "sparse"/"name": "moved-too"/; s/"sparse": "/"moved-too": "/' "$manifest"
    program=$(find "$data/moved" -path '*/bin/voxphys')
    "$program" dataset list >"$data/list"
    grep -q '^moved-too ' "$data/list" || { echo "FAIL: $program does not take its own $manifest"; cat "$data/list"; exit 1; }
    "$program" dataset make luanti -o "$data/luanti.vpw" >"$data/made"
    "$program" check --vector hull2/square --adapter "'$program' adapter" >"$data/checked"
    if /usr/bin/python3 -c 'import jinja2' 2>/dev/null; then # the report too
        sed -i 's/<html lang="en">/<html lang="en" id="moved-too">/' "$(find "$data/moved" -path '*/share/voxphys/report/templates/base.html')"
        "$program" check --vector hull2/square --html "$data/page.html" --adapter "'$program' adapter" >"$data/checked"
        grep -q 'id="moved-too"' "$data/page.html" || { echo "FAIL: $program does not take its own report"; exit 1; }
        [[ -z $(find "$data/moved" -name __pycache__) ]] || { echo "FAIL: $program writes beside its report"; exit 1; }
    fi
    ;;
find_package)
    check_installed find_package "$work/moved"
    check_native "$(find "$work/moved" -name libvoxphys.a)" "$work/moved"
    # The project of docs/TUTORIAL.md.
    mkdir -p "$work/tutorial-source"
    awk '/^```cmake$/ { open = 1; next } /^```$/ { open = 0 } open' "$VOXPHYS_SOURCE/docs/TUTORIAL.md" >"$work/tutorial-source/CMakeLists.txt"
    cp "$VOXPHYS_SOURCE/examples/walk.c" "$work/tutorial-source/"
    configure tutorial "$work/tutorial-source" -DCMAKE_PREFIX_PATH="$work/moved"
    build tutorial
    check_example "$work/tutorial/walk" walk
    configure cxx "$here/installed" -DLANGUAGES=CXX -DEXAMPLES="$VOXPHYS_SOURCE/examples" -DCMAKE_PREFIX_PATH="$work/moved"
    build cxx
    check_game "$work/cxx/game"
    ;;
pkg_config)
    check_pkg_config "$work/moved" -lm
    check_pkg_config "$work/moved" -lm --static
    ;;
shared)
    # The library alone, with the documented options: few steps, and no packages except those that are always installed.
    alone=$(sed -n 's/^\$ cmake -B build\/library //p' "$VOXPHYS_SOURCE"/README.md "$VOXPHYS_SOURCE"/docs/{ARCHITECTURE,TUTORIAL}.md | sort -u)
    [[ -n $alone && $(wc -l <<<"$alone") -eq 1 ]] || { echo "FAIL: README.md, ARCHITECTURE.md and TUTORIAL.md build the library with: $alone"; exit 1; }
    read -r -a alone <<<"$alone"
    configure alone "$VOXPHYS_SOURCE" -DVOXPHYS_SIMD=plain "${alone[@]}" -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON
    steps=$(ninja -C "$work/alone" -t commands all | wc -l)
    [[ $steps -ge 50 && $steps -le 220 ]] || { echo "FAIL: the library alone takes $steps steps"; exit 1; }
    # Inside another project, as a shared library, and installed from there. Its speed does not matter.
    rm -rf "$work/shared-prefix"
    configure embedded "$here/embedded" -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_C_FLAGS_MINSIZEREL=-O0 -DNDEBUG" -DBUILD_SHARED_LIBS=ON \
        -DVOXPHYS_SIMD=OFF -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DVOXPHYS_SOURCE="$VOXPHYS_SOURCE"
    build embedded
    check_game "$work/embedded/game"
    cmake --install "$work/embedded" --prefix "$work/shared-prefix" >"$work/shared-install.log"
    ;;
shared_use)
    check_installed shared-use "$work/shared-prefix"
    check_pkg_config "$work/shared-prefix" -lm --static
    check_pkg_config "$work/shared-prefix" ""
    # The Python module, from where it is installed, and its example.
    for python in /usr/bin/python3 python3; do
        PYTHONPATH=$work/shared-prefix/share/voxphys/python "$python" -B "$here/module.py" "$CC" "$work/shared-prefix/include"
    done
    awk '/^```python$/ { open = 1; next } /^```$/ { open = 0 } open' "$VOXPHYS_SOURCE/docs/kernels/decompose.md" |
        PYTHONPATH=$work/shared-prefix/share/voxphys/python python3 -B - | diff - <(echo "4 vertices, 4 triangles")
    # Not with -q, because grep would stop at the line, and ldd would fail because nobody reads the rest.
    ldd "$work/pkg-config" | grep -F "$work/shared-prefix" >/dev/null || { echo "FAIL: the shared library was not used"; exit 1; }
    ;;
shared_needs)
    library=$(find "$work/shared-prefix" -name libvoxphys.so)
    needed=$("$READELF" --dynamic "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    echo "needs:" "$needed"
    [[ $needed == *libc.so* ]] || { echo "FAIL: no list of needed libraries was found in $library"; exit 1; }
    if grep -vE '^(libc|libm)\.so\.6$' <<<"$needed"; then
        echo "FAIL: the core library needs more than libc and libm"
        exit 1
    fi
    check_native "$library" "$work/shared-prefix"
    # The importers, which found no other library, need the core too.
    "$READELF" --dynamic "$(find "$work/shared-prefix" -name libvoxphys-import.so)" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
    grep -qx 'libvoxphys\.so\..*' "$work/needed" || { echo "FAIL: voxphys-import does not need the core"; exit 1; }
    if grep -vE '^(libc|libm)\.so\.6$|^libvoxphys\.so\.' "$work/needed"; then
        echo "FAIL: voxphys-import needs more than the core, libc and libm"
        exit 1
    fi
    ;;
shared_exports)
    # The libraries export exactly the declarations of the public headers. The compiler lists the functions, and the headers' text without
    # comments gives the tables.
    include=$work/shared-prefix/include
    declared=$work/declared
    "$CC" -std=c17 -I "$include" -aux-info "$declared.functions" -fsyntax-only -x c - <<<"#include <voxphys/voxphys.h>"
    headers() # [OPTION...]: the preprocessed headers
    {
        "$CC" -std=c17 -I "$include" "$@" -E -x c - <<<"#include <voxphys/voxphys.h>"
    }
    {
        sed -nE '/^\/\* [^ ]*voxphys\/[^ ]*:NC \*\/ extern /s/^[^(]*[ *](vp_[a-z0-9_]*)( \(|;).*/\1/p' "$declared.functions"
        headers | sed -nE 's/^extern [^(]*[ *](vp_[a-z0-9_]*)(\[\])?;.*/\1/p'
    } | sort >"$declared"
    find "$work/shared-prefix" -name 'libvoxphys*.so' -exec "$NM" --dynamic --defined-only --extern-only {} + |
        awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
    diff "$declared" "$work/exported" || { echo "FAIL: the public headers declare this (<), the shared libraries export that (>)"; exit 1; }
    [[ $(wc -l <"$declared") -ge 100 ]] || { echo "FAIL: only this was found in the headers:"; cat "$declared"; exit 1; }
    # The declarations for Windows.
    for case in "dllimport -DVP_SHARED" "dllexport -DVP_BUILD_SHARED"; do
        read -r word option <<<"$case"
        printed=$(headers -D_WIN32 "$option" | grep -o "__declspec($word)" | wc -l)
        [[ $printed -eq $(wc -l <"$declared") ]] || { echo "FAIL: $printed declarations of $(wc -l <"$declared") have $word with $option"; exit 1; }
    done
    if headers -D_WIN32 | grep __declspec; then
        echo "FAIL: the static library is declared as a shared one"
        exit 1
    fi
    ;;
*)
    echo "package.sh: step \"$step\" is unknown" >&2
    exit 2
    ;;
esac
