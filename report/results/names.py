# SPDX-License-Identifier: MIT
"""Names of benchmark rows, such as "kd_ray/avx2-slab/chunks-of-64/coherent", the data that they read, and retired names."""
import functools
import os
import re
import typing

from files import Fault, as_object, load_json, member, object_at, text_at


class Name(typing.NamedTuple):
    kernel: str
    isa: str  # "scalar", "avx2". "" for libraries, limits and code that the compiler vectorised
    via: str  # "native", "simde", "autovec", "words", "peer", "limit", "other"
    variant: str  # "slab", or a peer's name. "" = none
    dataset: str  # "chunks". "" = none
    parameter: str  # "coherent", "of-64/coherent". "" = none

    @property
    def key(self) -> str:
        """The key of the row's answers: the name with "any" for the instruction set and for the number of threads."""
        who = self.via if self.via in ("peer", "limit", "other") else "any"
        parameter = re.sub(r"threads-[0-9]*", "threads-any", self.parameter, count=1)
        return f"{self.kernel}/{who}" + "".join(mark + part for mark, part in (("-", self.variant), ("/", self.dataset), ("/", parameter)) if part)


LARGEST_PART = Name(31, 15, 7, 47, 31, 63)  # bytes


class Data:
    """The data sets' folder, "" if it could not be opened, and what the program knows of kernels, instruction sets, and sets with a number of
    points or bodies in their names."""

    def __init__(self, folder: str, known: dict):
        self.folder, self.kernels, self.isas, self.counted = folder, set(known["kernels"]), known["isas"], set(known["counted"])
        self.unopened, sets = known["error"], load_json(os.path.join(folder, "manifest.json"))["sets"] if folder else []
        self.sets = {entry["name"]: entry for entry in sets}
        self.parse_name = functools.lru_cache(maxsize=None)(self.parse_name)
        self.rename_text = functools.lru_cache(maxsize=None)(self.rename_text)

    @functools.cached_property
    def golden(self) -> dict:
        """The digests of all known answers: "verify" by kernel, data set and form, "bench" by a row's key."""
        path = os.path.join(self.folder, "digests.json")
        digests = load_json(path)
        if not isinstance(member(digests, "verify"), dict) or not isinstance(member(digests, "bench"), dict):
            raise Fault(f'{path}: "verify" or "bench" is missing')
        return digests

    @functools.cached_property
    def retired(self) -> dict:
        path = os.path.join(self.folder, "retired-names.json")
        names = load_json(path)
        for old, new in names.items():
            if not isinstance(new, str):
                raise Fault(f'{path}: "{old}" has no name')
        return names

    # ---- names ----

    def split_who(self, who: str) -> tuple[str, str, str]:
        """Returns instruction set, via and variant."""
        known = [("scalar-autovec", "autovec"), ("scalar-words", "words")] + [(isa + "-simde", "simde") for isa in self.isas]
        known += [(isa, "native") for isa in self.isas] + [("peer", "peer"), ("limit", "limit")]
        for begin, via in known:
            if who == begin or who.startswith(begin + "-"):
                return "" if via in ("autovec", "peer", "limit") else begin.partition("-")[0], via, who[len(begin) + 1:]
        return "", "other", who

    def parse_name(self, name: str) -> Name | None:
        """Returns None if a part is too long, or kernel or WHO is missing."""
        kernel, _, rest = name.partition("/")
        who, slash, data = rest.partition("/")
        if not kernel or not who:
            return None
        dataset, parameter = "", ""
        if slash and kernel == "edit_to_ray":  # "voxel" means edits of a single world
            dataset, parameter = "terrain-230k", data
        elif slash:
            dataset, _, parameter = data.partition("/")
            if "-of-" in dataset:
                dataset = dataset.partition("-of-")[0]
                parameter = data[len(dataset) + 1:]
        parts = Name(kernel, *self.split_who(who), dataset, parameter)
        return parts if all(len(part.encode()) <= most for part, most in zip(parts, LARGEST_PART)) else None

    def manifest_hash(self, name: str) -> str | None:
        """Returns the manifest's hash of a set, or of a set on another one: "chunks/coherent"."""
        first, slash, rest = name.partition("/")
        if not slash:
            return as_object(self.sets.get(first)).get("hash")
        if first in self.counted:
            return object_at(self.sets.get(first), "hashes").get(rest)
        return object_at(self.sets.get(rest), "hashes").get(first) if first in self.sets else None

    def hash_of_row(self, name: Name) -> str | None:
        """Returns the manifest's hash of the data that a row reads."""
        parameter = name.parameter.partition("/")[2] if name.parameter.startswith("of-") else name.parameter  # a subset of the rays
        whole = f"{name.dataset}/{parameter}"
        found = self.manifest_hash(whole)
        if found is None and "threads-" not in parameter:  # the last part is a parameter: "world/coherent/cold"
            shorter = whole.rpartition("/")[0]
            found = self.manifest_hash(shorter) if "/" in shorter else None
        if found is None and name.dataset not in self.counted:
            found = self.manifest_hash(name.dataset)
        return found

    # ---- retired names ----
    # Published files keep their old names. Readers replace them with today's.

    def who_today(self, name: str) -> str | None:
        """Returns today's WHO of a row's name, and the parameter that replaced a part of it, if any: "scalar-object/cold"."""
        parts = name.split("/")
        return self.retired.get(parts[1]) if len(parts) > 1 and " " not in name else None

    def rename_text(self, text: str) -> str:
        """Replaces retired kernels wherever they are whole words. "terrain_ray/scalar-cold/world/coherent" becomes
        "terrain_ray/scalar-object/world/coherent/cold"."""
        today, who = re.sub(r"[A-Za-z0-9_]+", lambda m: self.retired.get(m[0], m[0]), text), self.who_today(text)
        if who is not None:
            kernel, _, *data = today.split("/")
            version, *parameter = who.split("/")
            today = "/".join([kernel, version, *data, *parameter])
        return today

    def rename(self, value):
        """Renames all texts and keys of a JSON value, and the parts of its name that a row repeats."""
        if isinstance(value, str):
            return self.rename_text(value)
        if isinstance(value, list):
            return [self.rename(item) for item in value]
        if not isinstance(value, dict):
            return value
        today = {self.rename_text(key): self.rename(of_key) for key, of_key in value.items()}
        before, name = text_at(value, "name"), text_at(today, "name")
        if before is not None and name is not None and "variant" in today and self.who_today(before) is not None:
            parts = self.parse_name(name)
            if parts is not None:
                today |= {"variant": parts.variant or None, "parameter": parts.parameter or None}
        return today
