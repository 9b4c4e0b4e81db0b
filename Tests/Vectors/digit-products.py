# SPDX-License-Identifier: Apache-2.0
# Prints digit-products.txt: products in digits of 52 bits, whose carries random numbers never have.

from random import Random

BASE = 1 << 52
RANDOM = Random(52)


def number(digits):
    return sum(digit * BASE**place for place, digit in enumerate(digits))


def show(name, value, count):
    print(f"{name}: {' '.join(f'{value // BASE**place % BASE:x}' for place in range(count))}")


def meeting(a, b):
    """How many digits of the sum carry out and receive a carry after each has passed its upper bits on once."""
    lanes = [0] * len(a)
    for factor in b:
        lanes = [lane + x * factor % BASE for lane, x in zip(lanes, a)]
        carry = lanes[0] // BASE
        lanes = [lane + x * factor // BASE for lane, x in zip(lanes[1:] + [0], a)]
        lanes[0] += carry
    once = [lane % BASE + below // BASE for lane, below in zip(lanes, [0] + lanes)]
    carry = found = 0
    for lane in once:
        found += carry and lane >= BASE
        carry = (lane + carry) // BASE
    return found


print("# Printed by digit-products.py: `product` is a * b without its lowest digits, as many as each number has, by Python.")
print("# The digits are in hexadecimal, lowest first.")
for count in [20, 30, 40, 60, 80]:
    found = 0
    for index in range(6):
        a = RANDOM.choices([BASE - 1, 0, 1, BASE - 2], [8, 2, 1, 1], k=count)
        b = [0] * (count - 4) + RANDOM.choices([1, BASE - 1, BASE // 2], [4, 1, 1], k=4)
        found += meeting(a, b)
        print(f"\nname: {count} digits, {index}")
        for name, value in [("a", number(a)), ("b", number(b)), ("product", number(a) * number(b) // BASE**count)]:
            show(name, value, count)
    assert found > 0, count
