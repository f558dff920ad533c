# SPDX-License-Identifier: MIT
"""lies.py RECORD FOLDER: files that have the blocks of a recording with right checksums and a right index, but of which something isn't true."""
import json
import pathlib
import random
import struct
import sys
import zlib

MAGIC, HEADER, SHAPES, FRAMES, INDEX = b"\x89VPR\r\n\x1a\n", *b"HSFI"
NUMBERS = (0, 1, 5, 2**31 - 1, 2**32 - 1)


def blocks(file):
    at = len(MAGIC)
    while True:
        kind, first, count, raw, stored = struct.unpack_from("<5I", file, at)
        if kind == INDEX:
            return
        data = file[at + 24:at + 24 + stored]
        yield [kind, first, count, data if raw == stored else zlib.decompress(data, -15)]
        at += 24 + stored


def block(kind, first, count, raw):
    head = struct.pack("<5I", kind, first, count, len(raw), len(raw))
    return head + struct.pack("<I", zlib.crc32(raw, zlib.crc32(head))) + raw


def recording(parts):
    file, index = MAGIC, b""
    for part in parts:
        written = block(*part)
        index += written[:20] + struct.pack("<Q", len(file))
        file += written
    return file + block(INDEX, 0, len(parts), index) + struct.pack("<Q", len(file)) + b"VPR\n"


def headers(text):
    """Headers that aren't what they should be; the last two are."""
    yield from (b"", b"[]", b"{", b"[" * 5000, text + b"x", text.replace(b"voxphys-record", b"other"), text[:20] + b"\xff" + text[21:])
    for key, value in (("title", 1), ("type", None), ("seconds", "1"), ("layers", {}), ("layers", [{}] * 65), ("version", 2), ("version", 1.5)):
        yield json.dumps({**json.loads(text), key: value}).encode()
    for key, value in (("name", ""), ("name", None), ("kind", "constructor"), ("columns", None), ("columns", [{}]), ("columns", {}), ("scale", 0), ("scale", "1"),
                       ("opacity", 2), ("colouring", "toString"), ("states", [{"name": 1}]), ("materials", [{"name": "a", "colour": -1}]), ("hidden", 1),
                       ("columns", [{"name": "a", "meaning": "item", "of": 1}] * 33), ("columns", [{"name": "a", "meaning": "item", "of": 3}])):
        head = json.loads(text)
        head["layers"][1][key] = value
        yield json.dumps(head).encode()
    for more in ({"type": "constructor"}, {"command": "</script>\u202e\u0001"}):
        yield json.dumps({**json.loads(text), **more}).encode()


def main():
    whole = list(blocks(pathlib.Path(sys.argv[1]).read_bytes()))
    files = [recording([[HEADER, 0, 1, text], *whole[1:]]) for text in headers(whole[0][3])]
    chance = random.Random(1)
    while len(files) < 90:
        parts = [list(part) for part in whole]
        part, kind = chance.choice(parts[1:]), chance.randrange(8)
        if kind < 2:
            part[1 + kind] = chance.choice(NUMBERS)
        else:
            data = bytearray(part[3])
            at = chance.randrange(len(data) if kind < 5 else 200)
            data[at:at + kind % 3] = (bytes([data[at] ^ 1 << chance.randrange(8)]), b"\xff" * 9, struct.pack("<d", float("nan")), b"\0", b"\x7f")[chance.randrange(5)]
            part[3] = bytes(data)
        files.append(recording(parts))
    file = bytearray(recording(whole)[:-12])
    file[-5] ^= 1  # in the index, a block's offset
    at = len(recording(whole)) - 12 - 28 * len(whole) - 24
    files.append(bytes(file[:at]) + block(INDEX, 0, len(whole), bytes(file[at + 24:])) + struct.pack("<Q", at) + b"VPR\n")
    for i, data in enumerate(files):
        pathlib.Path(sys.argv[2], f"lie-{i:02}.vpr").write_bytes(data)


main()
