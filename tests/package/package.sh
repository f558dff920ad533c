#!/bin/bash
# SPDX-License-Identifier: MIT
# package.sh STEP SIMD: installs this build, and uses the library as other projects do. The steps install and shared make
# what the others need; SIMD is this build's VOXPHYS_SIMD.
set -euo pipefail
step=$1
simd=$2
here=$VOXPHYS_SOURCE/tests/package
work=$VOXPHYS_BUILD/tests/package
mkdir -p "$work"
lightly=(-DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_C_FLAGS_MINSIZEREL=-O1 -DNDEBUG") # builds that are not about speed

configure() # FOLDER SOURCE [ARGUMENT...]
{
    rm -rf "${work:?}/$1"
    cmake -G Ninja -S "$2" -B "$work/$1" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release "${@:3}" >"$work/$1.log" 2>&1 ||
        { cat "$work/$1.log"; exit 1; }
}

build() # FOLDER
{
    cmake --build "$work/$1" >"$work/$1.log" 2>&1 || { cat "$work/$1.log"; exit 1; }
}

# What the examples print was worked out by hand: from the rule in broadphase.h, and from a cube's sides by those in hull.h.
check_consumer() # PROGRAM [EXAMPLE]
{
    "$1" | diff "$here/${2-consumer}.txt" - || { echo "FAIL: $1 prints something else (>) than expected (<)"; exit 1; }
}

check_installed() # FOLDER PREFIX
{
    configure "$1" "$here/installed" -DCMAKE_PREFIX_PATH="$2"
    build "$1"
    check_consumer "$work/$1/consumer"
    check_consumer "$work/$1/hull" hull
    if compgen -G "$2/lib*/libvoxphys-openmp.*" >/dev/null; then
        "$work/$1/threads" | diff <(echo "some chunks with masks, 0 differ") -
    fi
}

check_pkg_config() # PREFIX
{
    local flags
    flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name voxphys.pc)") pkg-config --cflags --libs "voxphys >= 0.1")
    # shellcheck disable=SC2086 # the flags are words
    "$CC" -std=c17 "$here/consumer.c" $flags -Wl,-rpath,"$1/lib" -o "$work/pkg-config"
    check_consumer "$work/pkg-config"
}

case "$step" in
install)
    # Installed in one place and then moved: nothing in it may depend on where it was.
    rm -rf "$work"/prefix "$work"/moved
    cmake --install "$VOXPHYS_BUILD" --prefix "$work/prefix" >"$work/install.log"
    mv "$work/prefix" "$work/moved"
    ;;
data)
    # A program that was built with folders that are not there names the way out, and takes them as they come to be.
    unset VOXPHYS_DATA
    data=$work/data
    rm -rf "$data"
    mkdir -p "$data/bin"
    cp "$VOXPHYS_BUILD/tests/package_data_folder" "$data/bin/"
    expect_folder() # PART
    {
        local told
        told=$("$data/bin/package_data_folder" 2>&1) || true
        [[ $told == *"$1"* ]] || { echo "FAIL: expected \"$1\", got \"$told\""; exit 1; }
    }
    expect_folder "nor in $data/fixed; VOXPHYS_DATA can name their folder"
    for folder in fixed source share/voxphys chosen; do
        mkdir -p "$data/$folder"
        echo '{"version": 1, "sets": []}' >"$data/$folder/manifest.json"
        [[ $folder != chosen ]] || export VOXPHYS_DATA=$data/chosen
        expect_folder "/$folder is taken"
    done
    VOXPHYS_DATA=$data/absent expect_folder "VOXPHYS_DATA: cannot open"
    unset VOXPHYS_DATA
    # The installed program takes what was installed with it: what is changed there shows.
    cp -r "$work/moved" "$data/moved"
    manifest=$(find "$data/moved" -name manifest.json)
    sed -i 's/"name": "sparse"/"name": "moved-too"/; s/"sparse": "/"moved-too": "/' "$manifest"
    program=$(find "$data/moved" -path '*/bin/voxphys')
    "$program" dataset list >"$data/list"
    grep -q '^moved-too ' "$data/list" || { echo "FAIL: $program does not take its own $manifest"; cat "$data/list"; exit 1; }
    "$program" dataset make luanti -o "$data/luanti.vpw" >"$data/made"
    "$program" check --vector hull2/square --adapter "'$program' adapter" >"$data/checked"
    ;;
find_package) check_installed find_package "$work/moved" ;;
pkg_config) check_pkg_config "$work/moved" ;;
add_subdirectory)
    configure embedded "$here/embedded" "${lightly[@]}" -DVOXPHYS_SOURCE="$VOXPHYS_SOURCE" -DVOXPHYS_SIMD="$simd" -DVOXPHYS_SIMDE=OFF
    build embedded
    check_consumer "$(find "$work/embedded" -type f -name consumer)"
    ;;
shared)
    rm -rf "$work/shared-prefix"
    configure shared "$VOXPHYS_SOURCE" "${lightly[@]}" -DBUILD_SHARED_LIBS=ON -DVOXPHYS_SIMD="$simd" -DVOXPHYS_SIMDE=OFF -DVOXPHYS_TOOLS=OFF \
        -DVOXPHYS_BENCH=OFF -DVOXPHYS_TESTS=OFF
    build shared
    cmake --install "$work/shared" --prefix "$work/shared-prefix" >"$work/shared-install.log"
    ;;
shared_use)
    check_installed shared-use "$work/shared-prefix"
    check_pkg_config "$work/shared-prefix"
    # Not with -q: grep would end at the line, and ldd fail because nobody reads the rest.
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
    if "$NM" --dynamic --defined-only --extern-only "$library" | awk '{ print $3 }' | grep -v '^vp_'; then
        echo "FAIL: the shared library exports names that do not begin with vp_"
        exit 1
    fi
    ;;
*)
    echo "package.sh: step \"$step\" is unknown" >&2
    exit 2
    ;;
esac
