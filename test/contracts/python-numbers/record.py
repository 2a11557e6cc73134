"""Records what Python writes for numbers, and whether a double keeps decimal texts: python3 record.py > numbers.json"""

import json
import random
import struct
from decimal import Decimal, getcontext

getcontext().prec = 1200
random.seed(30)


def any_double():
    while True:
        (value,) = struct.unpack("<d", random.randbytes(8))
        if value == value and abs(value) != float("inf"):
            return value


def is_kept(text):
    kept = float(text)
    if kept in (float("inf"), float("-inf")):
        return False
    return Decimal(text) == Decimal(repr(kept))


def any_decimal():
    digits = "".join(random.choice("0123456789") for _ in range(random.randint(1, 22)))
    at = random.randint(0, len(digits))
    whole, fraction = digits[:at].lstrip("0") or "0", digits[at:]
    text = random.choice(["", "-"]) + whole + ("." + fraction if fraction else "")
    power = random.choice(["", "", f"e{random.randint(-330, 320)}", f"E+{random.randint(0, 30)}"])
    return text + power


edges = [0.0, -0.0, 0.1, 1.5, 1e16, 1e17, 1e21, 1e22, 1e23, 5e-324, 2.2250738585072014e-308,
         1.7976931348623157e308, 2.0**53, 2.0**63, 1 / 3, 123456789.123456789, 1e-7, 1e-5]
floats = edges + [any_double() for _ in range(700)] + [
    random.uniform(-1e6, 1e6) for _ in range(300)] + [round(random.uniform(0, 1e5), 2) for _ in range(300)]
values = [{"amount": a, "list": [b, [c, {"deep": d}]], "whole": random.randint(-(2**53), 2**53)}
          for a, b, c, d in zip(*[iter(floats)] * 4)]
decimals = ["9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993", "18446744073709551615",
            "1180591620717411303424", "1e-400", "1e400", "-1e400", "1234567890.123456789", "1.50", "1E+2", "0.10",
            "1e0000000000000000000001", "0e999999", "-0", "-0.0e-5", "0.1000000000000000055511151231257827",
            "100000000000000000000000", "123e-20", "4.9e-324", "5e-324", "0.30000000000000004"]
decimals += [any_decimal() for _ in range(700)]
of = {kept: [d for d in decimals if is_kept(d) == kept] for kept in (True, False)}
print(json.dumps({"reprs": " ".join(map(repr, floats)), "dumps": "\n".join(map(json.dumps, values)),
                  "kept": " ".join(of[True]), "lost": " ".join(of[False])}, indent=2))
