#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The local links of every document lead to existing files, their anchors to headings, and file names written as `folder/file.ext` in
documents exist."""
import os
import re
import subprocess
import sys

FOLDERS = r"\.ci|bench|cases|cmake|conformance|datasets|docs|examples|host|include|optimized|reference|src|tests|tools"


def prose(document):
    """The text without its fenced blocks."""
    with open(document, encoding="utf-8") as file:
        return re.sub(r"^ *```.*?^ *```", "", file.read(), flags=re.M | re.S)


def anchors(document):
    """Of each heading: lower case, no punctuation, and dashes for spaces."""
    return [re.sub("[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in re.findall("^#+ +(.*)", prose(document), re.M)]


listed = subprocess.run(["bash", "-c", ". tests/files.bash && source_files"], capture_output=True, text=True, check=True).stdout
faults, checked = [], 0
for document in [name for name in listed.splitlines() if name.endswith(".md")]:
    text = prose(document)
    for link in re.findall(r"\]\((?![a-z]+:)([^) ]+)\)", text):
        checked += 1
        path, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(document), path) if path else document
        if not os.path.exists(target):
            faults.append(f"{document} links to {link}, which does not exist")
        elif anchor and target.endswith(".md") and anchor not in anchors(target):
            faults.append(f"{document} links to {link}, but there is no such heading")
    for name in re.findall(f"`((?:{FOLDERS})/[A-Za-z0-9_./-]+)`", text):
        checked += 1
        if not os.path.exists(name):
            faults.append(f"{document} names {name}, which does not exist")
if checked < 5:
    faults.append(f"only {checked} links and names were found")
print(*(f"FAIL: {fault}" for fault in faults), f"{checked} links and names, {len(faults)} failures", sep="\n")
sys.exit(1 if faults else 0)
