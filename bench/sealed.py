# SPDX-License-Identifier: MIT
"""Files of results/experiments end with a seal, a hash of the rest. They name the commit and the hash of the program that measured them."""
import hashlib
import json
import re

SEAL = re.compile(r',\n"seal": "[0-9a-f]{64}"\n}\n$')


def sealed(text):
    """Returns a file's text with the seal as its last member."""
    return text.removesuffix("\n}\n") + f',\n"seal": "{hashlib.sha256(text.encode()).hexdigest()}"\n}}\n'


def fault_of(text):
    """Returns the fault of a file's text, or None."""
    if not SEAL.search(text):
        return "has no seal"
    if sealed(SEAL.sub("\n}\n", text)) != text:
        return "was edited after it was measured"
    data = json.loads(text)
    if data["format"] == "voxphys-models":  # of no machine
        return None
    for machine in data["machines"].values() if "machines" in data else [data["machine"]]:
        if not all(re.fullmatch(f"[0-9a-f]{{{digits}}}", machine.get(key, "")) for key, digits in (("commit", 40), ("program", 64))):
            return "names no commit or no program"
    return None
