# SPDX-License-Identifier: MIT
"""null_rows.py FOLDER: a call with NULL for each function of the headers in FOLDER. Functions that return a status become rows of REJECTS. A pointer may be NULL if its
comment or one of the tables below says so."""
import pathlib
import re
import sys

OPTIONAL = "allocator changes codec executor filter kernels note query saved stale user"  # in every function, except these:
NEEDED = "block_jobs_mark_changed.changes broadphase_update.stale contacts_terrain_changed.stale edge_flags_stale.stale"
ONCE = r"buoyancy_in_(chunk|world)\.broadphase|import_\w+\.def"
# Arrays without elements, and arguments that a terrain's query passes on to its reader's. Numbers in these calls are 0, except of scratches.
EMPTY = (r"automaton_list_edits\.(at|voxel)|blocks_fill\.fill|(mesh_)?edge_flags\.flags|hull_builder_begin\.(hull|point)|surroundings_manifolds_many\.(out|result)"
         r"|(broadphase_overlap_batch|terrain_overlap_many)\.touch|(world|terrain)_(read|write)_rows\.(material|occupancy)"
         r"|terrain_(raycast|sphere_sweep|gather|inside)(_(point|many|any|all|triangles))?\.(ray|box|out|count|triangle)")
PROTOTYPE = re.compile(r"(/\*(?:[^*]|\*(?!/))*\*/)?\s*VP_API (vp_status|void) vp_(\w+)\(([^;]*?)\);")


def arguments(function, comment, parameters):
    named = [re.fullmatch(r"(.*?)(\w+)(\[[^]]*\])*", " ".join(p.split())).groups() for p in parameters.split(",")]
    empty = [name for _, name, _ in named if re.fullmatch(EMPTY, f"{function}.{name}")]
    for kind, name, array in named:
        field = f"{function}.{name}"
        usual = name in OPTIONAL.split() and field not in NEEDED.split()
        if name == "error":
            yield "&error"
        elif "*" not in kind and array is None:
            number = "vp_" not in kind and (not empty or name == "scratch_count")
            yield f"({kind.strip()}){{{int(number)}}}"
        elif usual or name in empty or re.fullmatch(ONCE, field) or re.search(rf"@param (?:\w+, )*{name}\b[^@]*NULL", comment):
            yield "NULL"
        else:
            yield f"P({name})"


for header in sorted(pathlib.Path(sys.argv[1]).glob("**/*.h")):
    for comment, returned, function, parameters in PROTOTYPE.findall(header.read_text(encoding="utf-8")):
        call = ", ".join(arguments(function, comment, parameters))
        if returned == "vp_status" and call != "&error":
            print(f"REJECTS(vp_{function}({call}));")
        elif function.endswith("_destroy") or function == "terrain_release_reader":
            print(f"vp_{function}(NULL);")
