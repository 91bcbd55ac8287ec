"""Converts stored inputs of 0.x to 1.0: `python upgrade_stored.py < old.json > new.json`"""

import json
import sys

from ag_ui_native.compat import upgrade_input

upgraded, warnings = upgrade_input(json.load(sys.stdin))
json.dump(upgraded, sys.stdout)
for warning in warnings:
    print(warning, file=sys.stderr)
