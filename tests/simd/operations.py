# SPDX-License-Identifier: MIT
"""operations.py COMPILER FOLDER: a call of each operation of the vocabulary, as statements for answers.h. The operations are those that optimized/simd/plain.h defines.
Arguments are vectors of inputs from place i on, each from other places. Results are put into the answers."""
import re
import subprocess
import sys

# Operations that not all instruction sets have, because wider ones are made of them.
PARTS = re.compile(r"(f64|m64|u64)x2_.*|u64x4_.*|u8x32_(?!cmp_le$).*|m8x32_of_bits|(m64x4|m16x8|m8x16)_movemask|m8x16_and|f32x4_(load_u8|store4|transpose4|(low|high)_to_f64)"
                   r"|i32x4_of_u16|u16x8_(and|andnot|ext_second|shr|xor)|u8x16_(cmp_eq|cmp_ge|load_rows)")
# Operations whose results are free for NaN, or beyond an integer's range.
WHOLE = re.compile(r"min_fast|max_fast|min_where|max_across|argmin|reduce_\w+|sum|fold8?_(min|max)|min_of_six|to_i32|floor_to_i32|store_i32|as_i32|rsqrt_estimate")
LIMITS = {"permute4.at": 3, "f32x4_permute.at": 3, "u8x16_permute.at": 15, "shlv.b": 31, "i32x4_shlv.n": 31, "reciprocal.a": 15}  # bits of lanes that may be set
CONSTANTS = {"i32": (3, 7, 31), "u16": (3, 15), "u64": (1, 7, 56, 63), "u8": (1, 2, 128)}  # of shifts and the like
LANES = {"f32": ("float", "f"), "f64": ("double", "real"), "i32": ("int32_t", "i"), "u8": ("uint8_t", "byte"), "u16": ("uint16_t", "half"), "u64": ("uint64_t", "word")}
POINTERS = {"float": "f", "double": "real", "uint8_t": "byte", "uint16_t": "half", "uint64_t": "word", "void": "i", "int32_t": "i"}
# Numbers are no lanes of the same call's vectors.
NUMBERS = {"float": "in->f[i + {n}]", "double": "in->real[i + {n}]", "int32_t": "in->i[i + {n}]", "uint64_t": "in->word[i + {n}]", "uint32_t": "in->bits[i]", "uint16_t": "in->half[i + {n}]",
           "uint8_t": "in->byte[i + {n}]", "size_t": "1 + i % 16"}
COMPARISONS = {"m32": ("i32x", "cmp_gt"), "m64": ("f64x", "cmp_gt"), "m8": ("u8x", "cmp_le"), "m16": ("u16x", "cmp_eq")}
VECTOR = re.compile(r"([fiumc]\d+)x(\d+)")


def vector(kind, operation, name, n):
    """Returns the n-th vector of this type. Masks are comparisons."""
    element, lanes = VECTOR.fullmatch(kind).groups()
    if element[0] == "m":
        of, compare = COMPARISONS[element]
        return f"{of}{lanes}_{compare}({vector(of + lanes, '', '', n)}, {vector(of + lanes, '', '', n + 1)})"
    if element[0] == "c":
        return f"{kind}_of_bits(bits)"
    short = operation.partition("_")[2]
    whole = element[0] == "f" and WHOLE.fullmatch(short)
    source = "place" if short.startswith("gather") else "whole" if whole else LANES[element][1]
    loaded = f"{kind}_load{'_f32' if whole and element == 'f64' else ''}(in->{source} + i + {17 * n})"
    limit = LIMITS.get(f"{operation}.{name}", LIMITS.get(f"{short}.{name}"))
    if limit is not None:
        return f"{kind}_and({loaded}, {kind}_set1({limit}))"
    return f"{kind}_abs({loaded})" if short == "rsqrt_estimate" else loaded


def put(kind, value):
    """Returns a statement that puts a value into the answers."""
    found = VECTOR.fullmatch(kind)
    if found is None:
        return f"PUT_NUMBER({kind}, {value});"
    element, lanes = found.groups()
    if kind in ("m8x32", "m16x16"):
        return put("uint32_t", f"{kind}_movemask({value})")
    if element[0] == "m":
        of = COMPARISONS[element][0] + lanes
        return put(of, f"{of}_select({value}, {of}_set1(1), {of}_set1(0))")
    return f"PUT({kind}, {lanes}, {LANES[element][0]}, {value});"


def statements(result, operation, parameters, constant):
    """Yields declarations, the call, and results that it has by pointer."""
    call, before, after, lanes = [], [], [], int(VECTOR.match(operation)[2])
    for n, (kind, name, count) in enumerate(parameters):
        base, is_input, is_pointer = kind.replace("const", "").strip(" *"), "const" in kind, "*" in kind
        if count:
            values = ", ".join(vector(base, operation, name, n + k) for k in range(int(count)))
            before.append(f"{kind} {name}[{count}]{f' = {{{values}}}' if is_input else ''};")
            after += [] if is_input else [put(base, f"{name}[{k}]") for k in range(int(count))]
            call.append(name)
        elif VECTOR.fullmatch(base) and is_pointer:
            before.append(f"{base} {name};")
            after.append(put(base, name))
            call.append("&" + name)
        elif VECTOR.fullmatch(base):
            call.append(vector(base, operation, name, n))
        elif name == "to":
            before.append("memset(buffer, 0, sizeof room);")
            after.append(f"PUT_BYTES({'4 * (size_t)__builtin_popcount(bits)' if re.search('compress(ed|_store)', operation) else 'sizeof room'});")
            call.append("buffer")
        elif is_pointer:
            call.append(f"in->{POINTERS[base]}{'' if name == 'table' else f' + i + {16 * n}'}")
        else:
            call.append(name if name == "bits" else str(constant) if name == "n" else "i & 7" if name == "at" else NUMBERS[base].format(n=100 + n))
    made = f"{operation}({', '.join(call)})"
    if operation == "u64x8_fold_or":  # a native vector
        result, made = "bool", f"FOLDED_HAS({made}, in->word[i + 100])"
    elif operation == "f32x4_load_xyz_fast":  # its last lane is free
        made = f"f32x4_select(i32x4_cmp_gt(i32x4_set1(3), i32x4_iota()), {made}, f32x4_set1(0))"
    mask = 0x55 if operation.endswith("copy4") else (1 << lanes) - 1
    made = made + ";" if result == "void" else put(result, made)
    return [*([f"const uint32_t bits = in->bits[i] & {mask}u;"] if re.search(r"(?<!>)\bbits\b", made) else []), *before, made, *after]


def main():
    compiler, folder = sys.argv[1:]
    text = subprocess.run([compiler, "-E", "-P", "-I", folder, "-I", folder + "/include", folder + "/optimized/simd/plain.h"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    for result, operation, parameters in re.findall(r"static inline (?:__attribute__\(\(\w+\)\) )?\s*(\w+)\s+([fium]\d+x\d+_\w+) ?\(([^)]*)\)\s*\{", text):
        named = [re.fullmatch(r"(.*?)\b(\w+)(?:\[(\d)\])?", " ".join(p.split())).groups() for p in parameters.split(",") if p != "void"]
        named = [(kind.strip(), name, count) for kind, name, count in named]
        for constant in CONSTANTS[VECTOR.match(operation)[1]] if any(name == "n" and not VECTOR.match(kind) for kind, name, _ in named) else (None,):
            if not PARTS.fullmatch(operation):
                print("{", *statements(result.replace("_Bool", "bool"), operation, named, constant), "}")


main()
