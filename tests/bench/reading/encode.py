"""Prints, for each JSON line of stdin with `text` and `encoding`, the text in that encoding as base64; null if it can't be written in it."""
import base64
import json
import sys

import chardet

for line in sys.stdin:
    wanted = json.loads(line)
    try:
        data = wanted["text"].encode(wanted["encoding"])
        guess = chardet.detect(data)["encoding"]
        try:
            is_right = guess is not None and data.decode(guess) == wanted["text"]
        except (LookupError, UnicodeDecodeError):
            is_right = False
        print(json.dumps({"bytes": base64.b64encode(data).decode(), "isReferenceRight": is_right}))
    except UnicodeEncodeError:
        print(json.dumps({"bytes": None, "isReferenceRight": False}))
