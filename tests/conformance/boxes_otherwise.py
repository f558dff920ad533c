# SPDX-License-Identifier: MIT
"""Other boxes of a question of blocks that are right as well, for spoiled.py and alike.py: by the definitions of the corpus' makers."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.environ["VOXPHYS_SOURCE"] + "/conformance/corpus/make")
import blocks  # noqa: E402


def rows(asked, order):
    """Of boxes that grow along axes in another order, each a list of words."""
    n, first, kinds = [int(w) for w in asked[2:5]], [int(w) for w in asked[5:8]], [int(w) for w in asked[11:-1]]
    chunk = blocks.Chunk.of({"extents": n, "first": first, "types": asked[8], "edge": int(asked[10]), "is": kinds})
    return [[str(v) for v in row] for row in blocks.told(chunk, blocks.merged(chunk, order))]
