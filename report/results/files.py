# SPDX-License-Identifier: MIT
# Files of results. Reads them, compressed or not, writes them, and parses and writes their JSON. Missing values are unknown (None or NaN) and
# never become 0. The texts of messages and terminals are made safe here too, because a folder of results is untrusted.
import functools
import json
import math
import os
import re
import stat
import subprocess
import tempfile

LARGEST = 256 << 20  # bytes of a file
ZSTD_MARK = b"\x28\xb5\x2f\xfd"


class Fault(Exception):
    """A file cannot be used because of its content. Control characters of the message become "?"."""

    def __init__(self, message: str):
        super().__init__(re.sub(r"[\x00-\x1f\x7f]|[\x80-\x9f]", lambda m: "?" if m[0] < "\x80" else "??", message))


class Unreadable(Fault):
    """A file cannot be opened, read or written."""


# ---- texts ----

def replace_invalid(text: str) -> str:
    """Replaces each byte that is not UTF-8."""
    return re.sub("[\udc80-\udcff]", "\ufffd", text)


def cut(text: str, most: int) -> str:
    """Shortens a text to a number of bytes."""
    return replace_invalid(text.encode("utf-8", "surrogateescape")[:most].decode("utf-8", "surrogateescape"))


def escape(text: str) -> str:
    """Makes an untrusted text safe for a terminal. Control characters and invalid bytes become escapes such as \\x1b. Invisible characters
    and those that change the writing direction become code points such as \\u{feff}."""
    def escaped(match):
        if ord(match[0]) in range(0x2000, 0x2070) or match[0] == "\ufeff":
            return f"\\u{{{ord(match[0]):04x}}}"
        return "".join(f"\\x{byte:02x}" for byte in match[0].encode("utf-8", "surrogateescape"))
    return re.sub("[\x00-\x1f\x7f-\x9f\udc80-\udcff\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]", escaped, text)


# ---- members ----

ABSENT = object()


def member(json_value, path: str):
    """Returns the member at a path such as "cpu.model", or ABSENT."""
    for key in path.split("."):
        json_value = json_value.get(key, ABSENT) if isinstance(json_value, dict) else ABSENT
    return json_value


def text_at(json_value, path: str) -> str | None:
    value = member(json_value, path)
    return value if isinstance(value, str) else None


def is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_integer(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value) -> bool:
    return is_integer(value) and value >= 0


def figure_at(json_value, path: str) -> float:
    value = member(json_value, path)
    return float(value) if is_number(value) else math.nan


def integer_or(value, otherwise: int) -> int:
    return value if is_integer(value) else otherwise


def list_at(json_value, path: str) -> list:
    value = member(json_value, path)
    return value if isinstance(value, list) else []


def as_object(value) -> dict:
    return value if isinstance(value, dict) else {}


def object_at(json_value, path: str) -> dict:
    return as_object(member(json_value, path))


def is_equal(a, b) -> bool:
    """Compares with types: 1 is neither 1.0 nor true."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(is_equal(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(is_equal, a, b))
    return a == b


# ---- JSON ----

def parse_integer(text: str) -> int:
    value = int(text)
    if not -1 << 63 <= value < 1 << 63:
        raise ValueError("too big integer")
    return value


def parse_real(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError("real number overflow")
    return value


def refuse_constant(word: str):
    raise ValueError(f"{word} is no number")


def unique_members(pairs: list) -> dict:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("duplicate object key")
    return members


def parse(content: bytes, path: str, of_benchmarks: bool = False) -> dict:
    """Returns a JSON object. Google Benchmark writes NaN and Infinity for undefined values, which are read as texts."""
    if of_benchmarks and b"-NaN" in content:
        content = re.sub(rb'"(?:[^"\\]|\\.)*"|-NaN', lambda m: b" NaN" if m[0] == b"-NaN" else m[0], content)
    try:
        text = content.decode()
        parsed = json.loads(text, object_pairs_hook=unique_members, parse_int=parse_integer, parse_float=parse_real,
                            parse_constant=(lambda word: "") if of_benchmarks else refuse_constant)
        if "\\u" in text:  # lone surrogates are no text
            json.dumps(parsed, ensure_ascii=False).encode()
    except json.JSONDecodeError as e:
        raise Fault(f"{path}: line {e.lineno}: not JSON: {e.msg}") from e
    except (ValueError, RecursionError) as e:
        raise Fault(f"{path}: not JSON: {e}") from e
    if not isinstance(parsed, dict):
        raise Fault(f"{path}: not a JSON object")
    return parsed


ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@functools.lru_cache(maxsize=1 << 16)
def quote(text: str) -> str:
    return '"' + re.sub(r'[\x00-\x1f"\\]', lambda m: ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", text) + '"'


def write_real(value: float, digits: int) -> str:
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        return f"{mantissa}e{int(exponent)}"
    return text if "." in text else text + ".0"


def write_json(value, indent: int = 0, digits: int = 17, sort: bool = False, before: str = "\n") -> str:
    """Writes JSON, on one line without blanks if `indent` is 0. The seal depends on each byte, so json.dumps does not do. `before` begins
    the line of the value."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, float):
        return write_real(value, digits)
    if not isinstance(value, (list, dict)):
        return {None: "null", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else str(value)
    inner = before + " " * indent
    if isinstance(value, dict):
        colon = ": " if indent else ":"
        parts = [quote(key) + colon + write_json(value[key], indent, digits, sort, inner) for key in (sorted(value) if sort else value)]
    else:
        parts = [write_json(item, indent, digits, sort, inner) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    if not parts or not indent:
        return first + ",".join(parts) + last
    return first + inner + ("," + inner).join(parts) + before + last


# ---- reading ----

def is_there(path: str) -> bool:
    """Returns whether a file exists. Refuses links, because a folder of results is untrusted, and a link in it could expose other files. The
    folder that the user names, and those above it, may be links."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    except NotADirectoryError as e:
        raise Unreadable(f"cannot open {path}: {e.strerror}") from e
    except OSError:
        return True
    if stat.S_ISLNK(mode):
        raise Fault(f"{path} is a symbolic link: results are regular files")
    return True


def unpack(path: str, file: int) -> bytes:
    """Unpacks an open file. The size that it declares is not trusted."""
    os.lseek(file, 0, os.SEEK_SET)
    try:
        with subprocess.Popen(["zstd", "-dcq"], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            content = process.stdout.read(LARGEST + 1)
            process.stdout.close()
    except OSError as e:
        raise Unreadable(f"{path}: zstd cannot be run: {e.strerror}") from e
    if process.returncode != 0 or len(content) > LARGEST:
        raise Fault(f"{path}: damaged, or more than {LARGEST >> 20} MiB")
    return content


def read_bytes(path: str) -> bytes | None:
    """Returns the content of `path`, or the unpacked content of `path`.zst, or None without either."""
    plain, packed = is_there(path), is_there(path + ".zst")
    if plain and packed:
        raise Fault(f"{path} is there twice, compressed and not")
    if not plain and not packed:
        return None
    name = path if plain else path + ".zst"
    try:
        file = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # does not wait for the other end of a pipe
    except OSError as e:
        raise Unreadable(f"cannot open {name}: {e.strerror}") from e
    try:
        with open(file, "rb", closefd=False) as reader:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode):
                raise Unreadable(f"{name} is not a regular file")
            if about.st_size > LARGEST:
                raise Fault(f"{name} has {about.st_size} bytes; at most {LARGEST} are read")
            content = reader.read(LARGEST)
        if packed and content[:4] != ZSTD_MARK:
            raise Fault(f"{name}: damaged, or more than {LARGEST >> 20} MiB")
        return unpack(name, file) if content[:4] == ZSTD_MARK and len(content) > 4 else content
    except OSError as e:
        raise Unreadable(f"{name}: {e.strerror}") from e
    finally:
        os.close(file)


def read_json(path: str, of_benchmarks: bool = False) -> dict | None:
    content = read_bytes(path)
    return None if content is None else parse(content, path, of_benchmarks)


def load_json(path: str) -> dict:
    """Reads a file that must exist."""
    content = read_json(path)
    if content is None:
        raise Unreadable(f"{path}: {os.strerror(2)}")
    return content


def replace(path: str, text: str) -> None:
    """Writes a file completely or not at all, and removes `path`.zst, which it replaces. Keeps the permissions of an old file."""
    try:
        mask = os.umask(0)
        os.umask(mask)
        mode = stat.S_IMODE(os.stat(path).st_mode) if is_there(path) else 0o666 & ~mask
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise Unreadable(f"cannot write {path}: {os.strerror(13)}")
        with tempfile.NamedTemporaryFile("wb", prefix=".voxphys-", dir=os.path.dirname(path) or ".", delete=False) as file:
            try:
                file.write(text.encode("utf-8", "surrogateescape"))
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, mode)
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
        if os.path.lexists(path + ".zst"):
            os.unlink(path + ".zst")
    except OSError as e:
        raise Unreadable(f"cannot write {path}: {e.strerror}") from e
