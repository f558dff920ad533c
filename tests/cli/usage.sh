#!/bin/bash
# SPDX-License-Identifier: MIT
# Usage errors end with exit code 2, a message on stderr that names the fault, and nothing on stdout.
set -uo pipefail
. "$VOXPHYS_SOURCE/tests/cli/check.bash"

refused "Usage: voxphys"
refused "'frobnicate'" frobnicate
refused "'--frobnicate'" --frobnicate
refused "'\\x1b[31mred'" $'\x1b[31mred'
refused "unknown option '--\\x1b[31mred'" hull $'--\x1b[31mred'

# ---- every command and option in the help, with too few and too many values, of a wrong kind or out of range ----

try_options() # WORD...: a command
{
    local help synopsis option metavar text value
    local -a others=() values
    run "$@" --help
    help=$out
    read -r _ _ synopsis <<<"$help"
    synopsis=${synopsis#"$*"}
    for value in ${synopsis%% -*}; do
        [[ $value == \[* ]] || others+=(x)
    done
    refused "unknown option '--frobnicate'" "$@" --frobnicate
    [[ ${#others[@]} -eq 0 ]] || refused "voxphys $*: too few arguments; usage: voxphys $*$synopsis" "$@"
    [[ $synopsis == *FILE...* ]] || refused "unexpected argument 'x'" "$@" x x x x x x x x x x
    while IFS='^' read -r option metavar text; do
        if [[ -z $metavar ]]; then
            refused "option '$option' takes no value" "$@" "$option=yes"
            refused "option '$option' is given twice" "$@" "$option" "$option"
            continue
        fi
        refused "option '$option' needs a value: $metavar" "$@" "$option"
        [[ $metavar == *... ]] || refused "option '$option' is given twice" "$@" "$option" 1 "$option" 2
        values=("?" "" nan)
        [[ $metavar != [NS] ]] || values+=(-1)
        [[ $metavar != N ]] || values+=(12monkeys 1e3 99999999999999999999)
        if [[ $text =~ (^|\ )(-?[0-9]+)\ to\ ([0-9]+)($|\ |\;) ]]; then
            values+=($((BASH_REMATCH[2] - 1)) $((BASH_REMATCH[3] + 1)))
        fi
        case "$* $option $metavar" in
        *FILE* | *OUT* | *PAGE* | *FOLDER | *DIR | *SET | *WORLD | *NAMES | *SHAPE | *... | *A..B | "verify "*\ [KID]) continue ;; # texts
        *" --codec NAME" | adapter* | check* | "dataset import "* | reduce* | results*) continue ;; # these check another argument first
        esac
        for value in "${values[@]}"; do
            run "$@" "${others[@]}" "$option" "$value"
            expect_status 2
            [[ $err == *"$option"*[\'\"]"$value"[\'\"]* ]] || fail "the option and its value are not told"
            expect_in stderr "$err" "voxphys $*: " "Try 'voxphys $* --help'."
        done
    done < <(sed -nE 's/^  (--?[a-z-]+)  +(.*)/\1^^\2/p; s/^  (--?[a-z-]+) ([^ ]+) +(.*)/\1^\2^\3/p' <<<"$help")
}
for command in $(voxphys --help | sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p'); do
    run "$command" --help
    if [[ $out == "Usage: voxphys $command COMMAND "* ]]; then
        while read -r subcommand; do try_options "$command" "$subcommand"; done < <(sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' <<<"$out")
    else
        try_options "$command"
    fi
done

# Lists of names are complete, with a name on each line if they do not fit on one.
refused "--kernel 'dilate_moon': must be one of these:" verify --kernel dilate_moon
expect_equal "the list of kernels" "$(sed -n 's/^  //p' <<<"$err" | sort)" "$(voxphys info --json | jq -r '(.kernels + .operations)[].name' | sort)"
expect_equal "the last line" "${err##*$'\n'}" "Try 'voxphys verify --help'."
refused "--isa 'sse9': must be one of " verify --isa sse9
expect_equal "names that are listed twice" "$(tr -s ', ' '\n' <<<"${err#*none of }" | sort | uniq -d)" ""
for isa in scalar avx2 avx512 neon simd128 native; do
    expect_in "the list of instruction sets" " $(tr -s ',\n' '  ' <<<"$err") " " $isa "
done
# A version that a kernel does not have, on any machine.
info=$(voxphys info --json)
while read -r kernel isa; do
    has=$(jq -r --arg k "$kernel" '[.isas[] | select(.via == "simde").name] as $simde | .scalar_autovec as $autovec
        | [.kernels[] | select(.name == $k).versions[].isa
            | if IN($simde[]) then "\(.)-simde" elif . == "scalar" and $autovec then ., "scalar-autovec" else . end] | join(", ")' <<<"$info")
    refused "voxphys verify: $kernel has no version $isa; it has ${has:-scalar}"$'\n' verify --kernel "$kernel" --isa "$isa"
done <<END
collide_box avx2
collide_box neon
overlap_boxes scalar-words
push_out avx2
END
long=$(printf 'x%.0s' {1..5000})
refused "--kernel '$long': must be one of these:" verify --kernel "$long"
refused "unknown option '--$long'" verify "--$long"
refused "'atlantis'" verify --dataset atlantis
refused "'fuzz-x'" verify --dataset fuzz-x
refused "'terrain-l2/edits-mixed' is of kind edits" verify --dataset terrain-l2/edits-mixed
refused "kernel 'dilate_chunk' reads nothing of data set 'terrain-l2/boxes-small', of kind boxes; it reads worlds" verify --kernel dilate_chunk --dataset terrain-l2/boxes-small
refused "kernel 'kd_ray' reads nothing of data set 'chunks/box-6', of kind mesh-boxes; it reads rays of meshes" verify --kernel kd_ray --dataset chunks/box-6
refused "kernel 'kd_gather' reads nothing of data set 'terrain-l2'" verify --kernel kd_gather --dataset terrain-l2
refused "kernel 'mesh_chunk' reads nothing of data set 'chunks', of kind meshes" verify --kernel mesh_chunk --dataset chunks
refused "kernel 'terrain_ray' reads nothing of data set 'chunks'; it reads rays of meshes that are a world's" verify --kernel terrain_ray --dataset chunks
refused "kernel 'terrain_ray' reads nothing of data set 'chunks/grazing'; it reads" verify --kernel terrain_ray --dataset chunks/grazing --isa scalar --json
refused "kernel 'brute_ray' reads nothing of data set 'world-230k/grazing'; it reads rays of meshes that are chunks'" verify --kernel brute_ray --dataset world-230k/grazing
refused "no kernel that has a version 'scalar-words' reads anything of data set 'chunks-degenerate'" verify --isa scalar-words --dataset chunks-degenerate
refused "'terrain-l2/coherent' is unknown" verify --dataset terrain-l2/coherent
refused "'chunks/boxes-small' is unknown" verify --dataset chunks/boxes-small
refused "fuzz-18446744073709551616: the number is beyond 64 bits" verify --dataset fuzz-18446744073709551616
refused "fuzz-99999999999999999999999: the number is beyond 64 bits" verify --dataset fuzz-99999999999999999999999

refused "'teleport'" dataset teleport
refused "atlantis" dataset info atlantis
refused "atlantis" dataset make atlantis
refused 'no data set "fuzz-x"' dataset make fuzz-x
refused 'no world "fuzz-0"' dataset make fuzz-0/boxes-small
refused "fuzz-18446744073709551616: the number is beyond 64 bits" dataset make fuzz-18446744073709551616 -o "$scratch/fuzz"
refused "'--seed' is for fuzz-<n>; 'sparse' has its own" dataset make sparse --seed 2
refused "boxes-tiny" dataset make terrain-l2/boxes-tiny -o "$scratch/boxes"
refused "after the slash" dataset make sparse/sparse -o "$scratch/boxes"
refused "'sparse/sparse'" dataset info sparse/sparse
refused "option '--count' is for worlds, meshes, points and solids; 'boxes-small' is of kind boxes" dataset info boxes-small --count
refused "$scratch/absent.vox" dataset import "$scratch/absent.vox" -o "$scratch/world.vpw"
refused "option '-o': the name of the file is empty" dataset make sparse -o ""
refused "option '-o': the name of the file is empty" dataset import "$scratch/absent.vox" -o ""
refused 'the manifest has no world "nosuch"' dataset make nosuch/sparse
refused 'the manifest has no world "nosuch"' dataset make nosuch/boxes-small
refused 'the manifest has no world "nosuch"' dataset info nosuch/sparse
echo "no world at all" >"$scratch/text"
cp "$scratch/text" "$scratch/text.vpw"
refused "$scratch/text" dataset import "$scratch/text" -o "$scratch/world.vpw"
refused "$scratch/nowhere/world.vpw" dataset make terrain-l2 -o "$scratch/nowhere/world.vpw"
refused "$scratch/text: byte 8: libpng: " dataset import "$scratch/text" --format png -o "$scratch/world.vpw"
mkfifo "$scratch/pipe"
refused "$scratch/pipe is not a regular file" dataset import "$scratch/pipe" --format luanti -o "$scratch/world.vpw"
ln -s nowhere.vpw "$scratch/link.vpw"
refused "$scratch/link.vpw is a symbolic link to a file that does not exist" dataset make terrain-l2 -o "$scratch/link.vpw"
[[ ! -e $scratch/world.vpw && -L $scratch/link.vpw ]] || fail "a file was written although that was refused"

# An option of another format. The message names the file's format, found or given.
voxphys dataset make terrain-l2 -o "$scratch/source" >/dev/null
printf 'VOX \226\0\0\0' >"$scratch/vox"
printf '\211PNG' >"$scratch/png"
printf 'SQLite format 3\0' >"$scratch/luanti"
refused_option() # FORMAT OPTION...
{
    local file=$scratch/$1 name=$1
    [[ $1 != vpw ]] || file=$scratch/source
    refused "'${2%%=*}'" dataset import "$file" "${@:2}" -o "$scratch/world.vpw"
    expect_in stderr "$err" "; the format of '$file' is $name"
    : >"$scratch/any"
    refused "'${2%%=*}'" dataset import "$scratch/any" --format "$name" "${@:2}" -o "$scratch/world.vpw"
    expect_in stderr "$err" "; the format of '$scratch/any' is $name"
}
for format in vpw vox png luanti; do
    [[ $format == luanti ]] || refused_option $format --size=16,16,16
    [[ $format == luanti ]] || refused_option $format --min=0,0,0 --size=16,16,16
    [[ $format == vox ]] || refused_option $format --water-colour=3
    refused_option $format --raw-size=4,4
    refused_option $format --raw-signed
    refused_option $format --raw-big-endian
    [[ $format == png ]] && continue
    for option in --height-scale=2 --height-base=2 --water-level=2 --soil-depth=2 --materials=2,3,4; do
        refused_option $format $option
    done
done
[[ ! -e $scratch/world.vpw ]] || fail "a world file was written although an option was refused"

refused "atlantis" broadphase atlantis
refused "$scratch/absent.vpw" broadphase "$scratch/absent.vpw"
refused "not a VPW world file" broadphase "$scratch/text.vpw"
refused "'0'" broadphase terrain-l2 --threads 0
refused "'1000000001'" broadphase terrain-l2 --queries 1000000001
refused "5,2" broadphase terrain-l2 --extent 5,2
refused "atlantis" broadphase terrain-l2 --boxes atlantis
refused '"atlantis"' broadphase terrain-l2 --boxes terrain-l2/atlantis
refused "--boxes sparse/boxes-small is a set of another world" broadphase terrain-l2 --boxes sparse/boxes-small
for extent in "1,2,3" "1," ",1" "," 1 ""; do
    refused "--extent '$extent' is not two numbers with a comma" broadphase terrain-l2 --extent "$extent"
done

refused "'--results': the name of the folder is empty" report --results ""
refused "'--out': the name of the folder is empty" report --results "$scratch" --out ""
refused "the name of the folder is empty" report ""

refused "--extent 'a' is not a finite number" broadphase terrain-l2 --extent a,b
refused "--extent 'inf' is not a finite number" broadphase terrain-l2 --extent 1,inf
refused '--isa: instruction set "AVX2" is unknown' broadphase terrain-l2 --isa AVX2
refused "--min '99999999999,0,0' is not X,Y,Z: 3 whole numbers of 32 bits" \
    dataset import "$scratch/source" --min 99999999999,0,0 --size 8,8,8 --format luanti -o "$scratch/world.vpw"

# A long path is shortened to its end, and the reason is complete.
long=$scratch
for ((i = 0; i < 6; i++)); do
    long+=/a-folder-with-a-long-name-so-that-the-path-fills-the-message
done
mkdir -p "$long"
cp "$scratch/text" "$long/world.vpw"
echo "no box" >"$long/boxes.jsonl"
refused "message/world.vpw: byte 0: not a VPW world file" broadphase "$long/world.vpw"
refused "message/boxes.jsonl: line 1: not JSON: " broadphase terrain-l2 --boxes "$long/boxes.jsonl"
refused "message/absent.jsonl: No such file" broadphase terrain-l2 --boxes "$long/absent.jsonl"
refused "message/absent: No such file" report "$long/absent"

# Variables of the environment are checked too.
export VOXPHYS_ISA=abacus
refused '"abacus"' info
export VOXPHYS_ISA=scalar-simde
refused '"scalar-simde"' info
unset VOXPHYS_ISA
export VOXPHYS_DATA=$scratch/nowhere
refused "$scratch/nowhere" verify
unset VOXPHYS_DATA
finish
