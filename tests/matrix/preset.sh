#!/bin/bash
# SPDX-License-Identifier: MIT
# preset.sh LEVEL PRESET OTHER...: configures, builds and tests one preset in parallel with the others, to the extent of the level: quick,
# gate or deep. The compiler's output is shown only on failure.
set -euo pipefail
level=$1
preset=$2
folder=build/$preset
mkdir -p "$folder"
rm -rf "$folder/tests.xml" "$folder/cpu"

quietly() # STEP COMMAND...
{
    if ! "${@:2}" >"$folder/$1.log" 2>&1; then
        cat "$folder/$1.log"
        echo "FAIL: preset $preset: $1 fails"
        exit 1
    fi
    if grep -E 'warning:|CMake Warning' "$folder/$1.log"; then
        echo "FAIL: preset $preset: $1 has warnings"
        exit 1
    fi
}

if [[ $preset == aarch64 ]]; then
    quietly packages cmake/aarch64-sysroot
elif [[ $preset == wasm ]]; then
    quietly packages cmake/source-sysroot wasm
fi
options=()
case $level.$preset in # before a release also kernels of other architectures, otherwise each only on its own
deep.asan | deep.clang) options=(-DVOXPHYS_DEEP=ON -DVOXPHYS_SIMD=ON -DVOXPHYS_SIMDE=neon) ;;
deep.tsan | deep.msan) options=(-DVOXPHYS_DEEP=ON -DVOXPHYS_SIMD=ON) ;;
deep.aarch64) options=(-DVOXPHYS_DEEP=ON -DVOXPHYS_SIMDE=avx2) ;;
deep.*) options=(-DVOXPHYS_DEEP=ON) ;;
quick.release | gate.release)
    # CGAL, OpenVDB, FCL and ITK take a minute to compile. A machine without AVX-512 cannot run its kernels, so they are only compiled there.
    options=(-DVOXPHYS_SIMDE=OFF -DVOXPHYS_CGAL_INCLUDE=OFF -DVOXPHYS_OPENVDB=OFF -DVOXPHYS_FCL=OFF -DVOXPHYS_ITK=OFF -DVOXPHYS_AUTOVEC_ISAS=avx2)
    grep -qsw avx512vl /proc/cpuinfo || options+=(-DVOXPHYS_UNUSABLE=avx512)
    ;;
gate.aarch64) # at -O1, because most time goes to the emulator, but still able to fuse operations; release tests plain, the same C everywhere
    options=(-DVOXPHYS_BENCH=OFF -DVOXPHYS_SIMD=neon -DCMAKE_BUILD_TYPE=MinSizeRel "-DCMAKE_C_FLAGS_MINSIZEREL=-O1 -fexpensive-optimizations -DNDEBUG")
    ;;
gate.wasm) options=(-DVOXPHYS_SIMD=simd128) ;;
esac
quietly configure cmake --preset "$preset" "${options[@]}"
quietly build bash tests/timed.sh "$folder/cpu/build" cmake --build --preset "$preset"

# The thread and the memory sanitizer of clang 14 need the program at fixed addresses, which systems with much address-space randomization
# do not guarantee.
place=()
if [[ $preset == [tm]san ]] && setarch -R true 2>/dev/null; then
    place=(setarch -R)
fi
some=()
case $level.$preset in
quick.*) some=(--label-exclude '^long$') ;;
gate.release) [[ " ${*:3} " != *" asan "* ]] || some=(--label-exclude '^twice$') ;;
esac
"${place[@]}" ctest --preset "$preset" "${some[@]}" --parallel "$(nproc)" --output-junit tests.xml
