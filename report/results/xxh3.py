# SPDX-License-Identifier: MIT
"""XXH3, the 64-bit hash of xxHash, with seed 0 (doc/xxhash_spec.md of https://github.com/Cyan4973/xxHash)."""
import struct

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3, P64_4, P64_5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
STRIPE, STRIPES = 64, 16  # bytes of a stripe, stripes of a block
BLOCK = STRIPE * STRIPES


def read32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at:at + 4], "little")


def read64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at:at + 8], "little")


def fold(a: int, b: int) -> int:
    """Multiplies to 128 bits and combines the halves."""
    product = a * b
    return (product & M64) ^ (product >> 64)


def swap64(value: int) -> int:
    return int.from_bytes(value.to_bytes(8, "little"), "big")


def avalanche(value: int) -> int:
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & M64
    return value ^ value >> 32


def avalanche_of_xxh64(value: int) -> int:
    value ^= value >> 33
    value = value * P64_2 & M64
    value ^= value >> 29
    value = value * P64_3 & M64
    return value ^ value >> 32


def hash_up_to_16(data: bytes) -> int:
    size = len(data)
    if size > 8:
        low = read64(data, 0) ^ read64(SECRET, 24) ^ read64(SECRET, 32)
        high = read64(data, size - 8) ^ read64(SECRET, 40) ^ read64(SECRET, 48)
        return avalanche(size + swap64(low) + high + fold(low, high) & M64)
    if size > 3:
        h = read32(data, size - 4) + (read32(data, 0) << 32) ^ read64(SECRET, 8) ^ read64(SECRET, 16)
        h ^= ((h << 49 | h >> 15) ^ (h << 24 | h >> 40)) & M64
        h = h * 0x9FB21C651E98DF25 & M64
        h ^= (h >> 35) + size
        h = h * 0x9FB21C651E98DF25 & M64
        return h ^ h >> 28
    if size > 0:
        combined = data[0] << 16 | data[size >> 1] << 24 | data[-1] | size << 8
        return avalanche_of_xxh64(combined ^ read32(SECRET, 0) ^ read32(SECRET, 4))
    return avalanche_of_xxh64(read64(SECRET, 56) ^ read64(SECRET, 64))


def mix16(data: bytes, at: int, secret_at: int) -> int:
    return fold(read64(data, at) ^ read64(SECRET, secret_at), read64(data, at + 8) ^ read64(SECRET, secret_at + 8))


def hash_up_to_240(data: bytes) -> int:
    size = len(data)
    h = size * P64_1
    if size <= 128:
        for i in range((size - 1) // 32, -1, -1):  # pairs from the two ends
            h += mix16(data, 16 * i, 32 * i) + mix16(data, size - 16 * (i + 1), 32 * i + 16)
        return avalanche(h & M64)
    for i in range(8):
        h += mix16(data, 16 * i, 16 * i)
    h = avalanche(h & M64)
    for i in range(8, size // 16):
        h += mix16(data, 16 * i, 16 * (i - 8) + 3)
    return avalanche(h + mix16(data, size - 16, 119) & M64)


def add_stripes(sums: list[int], data: bytes, keys: list[list[int]]) -> None:
    """Adds up to a block of stripes. keys[lane] has the secret of each stripe."""
    values = struct.unpack(f"<{len(data) // 8}Q", data)
    for lane in range(8):
        column = values[lane::8]
        added = 0
        for value, key in zip(column, keys[lane]):
            mixed = value ^ key
            added += (mixed & M32) * (mixed >> 32)
        sums[lane] += added
        sums[lane ^ 1] += sum(column)


def hash_long(data: bytes) -> int:
    size = len(data)
    keys = [[read64(SECRET, 8 * (stripe + lane)) for stripe in range(STRIPES)] for lane in range(8)]
    sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]
    whole = (size - 1) // BLOCK * BLOCK
    for at in range(0, whole, BLOCK):
        add_stripes(sums, data[at:at + BLOCK], keys)
        for lane in range(8):
            h = sums[lane] & M64
            sums[lane] = (h ^ h >> 47 ^ read64(SECRET, 128 + 8 * lane)) * P32_1 & M64
    add_stripes(sums, data[whole:whole + (size - 1 - whole) // STRIPE * STRIPE], keys)
    add_stripes(sums, data[-STRIPE:], [[read64(SECRET, 121 + 8 * lane)] for lane in range(8)])
    h = size * P64_1
    for i in range(4):
        h += fold(sums[2 * i] & M64 ^ read64(SECRET, 11 + 16 * i), sums[2 * i + 1] & M64 ^ read64(SECRET, 19 + 16 * i))
    return avalanche(h & M64)


def hash_text(data: bytes) -> str:
    """Returns the hash as 16 hexadecimal digits."""
    hashed = hash_up_to_16 if len(data) <= 16 else hash_up_to_240 if len(data) <= 240 else hash_long
    return f"{hashed(data):016x}"
