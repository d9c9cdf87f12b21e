"""Prints each mail named on stdin as Gmail's API gives it (the decoded bytes of each part), with what Python's email package says of it."""
import base64
import email
import email.policy
import json
import sys


def body_of(part):
    data = part.get_payload(decode=True) or b""
    return {"size": len(data), "data": base64.urlsafe_b64encode(data).decode().rstrip("=")}


def as_gmail(part):
    headers = [{"name": name, "value": str(value)} for name, value in part.raw_items()]
    result = {"mimeType": part.get_content_type(), "filename": part.get_filename() or "", "headers": headers}
    if part.is_multipart():
        result["parts"] = [as_gmail(child) for child in part.get_payload()]
        result["body"] = {"size": 0}
    else:
        result["body"] = body_of(part)
    return result


def texts_of(part):
    """Plain texts that are shown; alternatives and HTML are compared elsewhere."""
    for leaf in part.walk():
        if leaf.get_content_type() == "multipart/alternative" or leaf.get_content_type() == "text/html":
            return []
    found = []
    for leaf in part.walk():
        if leaf.is_multipart() or leaf.get_content_type() != "text/plain" or leaf.get_content_disposition() == "attachment":
            continue
        data = leaf.get_payload(decode=True) or b""
        try:
            found.append(data.decode(leaf.get_content_charset("utf-8")))
        except (LookupError, UnicodeDecodeError):
            pass
    return found


def addresses_of(message, name):
    values = message.get_all(name, [])
    decoded = [str(email.header.make_header(email.header.decode_header(str(value)))) for value in values]
    return [address for _, address in email.utils.getaddresses(decoded) if "@" in address]


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        with open(path, "rb") as file:
            message = email.message_from_binary_file(file, policy=email.policy.compat32)
        if not message.get("From") and not message.get("Subject"):
            raise ValueError("not a mail")
        names = [leaf.get_filename() for leaf in message.walk() if leaf.get_filename()]
        names += ["" for leaf in message.walk() if leaf.get_content_disposition() == "attachment" and not leaf.get_filename()]
        facts = {
            "payload": as_gmail(message),
            "cc": addresses_of(message, "Cc"),
            "attachments": [" ".join(name.split()) for name in names],
            "texts": texts_of(message),
        }
        print(json.dumps(facts))
    except Exception as error:
        print(json.dumps({"problem": f"{type(error).__name__}: {error}"}))
