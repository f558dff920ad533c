# SPDX-License-Identifier: MIT
# build_native TARGET: builds a native program of the preset release, or here with the reference alone. Sets `build`. One test at a time.
build_native()
{
    exec 9>"$VOXPHYS_BUILD/native.lock"
    flock 9
    build=$VOXPHYS_SOURCE/build/release
    if [[ -e $build/CMakeCache.txt ]] && cmake --build "$build" --target "$1" >"$scratch/build.log" 2>&1; then
        echo "asked by the preset release"
    elif build=$VOXPHYS_BUILD/native
        ! env -u CC -u CXX cmake -G Ninja -S "$VOXPHYS_SOURCE" -B "$build" -DCMAKE_BUILD_TYPE=Release -DVOXPHYS_SIMD=OFF \
        -DVOXPHYS_TESTS=OFF -DVOXPHYS_BENCH=OFF -DVOXPHYS_OPENMP=OFF >"$scratch/build.log" 2>&1 ||
        ! cmake --build "$build" --target "$1" >>"$scratch/build.log" 2>&1; then
        cat "$scratch/build.log"
        echo "FAIL: the native build that asks cannot be made"
        exit 1
    fi
    exec 9>&-
}
