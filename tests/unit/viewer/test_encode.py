"""What is packed comes back: rounded once, nothing lost after that."""

import base64
import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dalembert.viewer.encode import LARGEST, Payload, best_orders, byte_planes, quantum_of


def unpacked(text, spec):
    """The decoder of player/src/decode.js, in Python."""
    data = np.frombuffer(gzip.decompress(base64.b64decode(text)), dtype=np.uint8)
    count, width, planes = spec["frames"], spec["columns"], spec["planes"]
    block = data[spec["at"] : spec["at"] + planes * width * count]
    parts = block.reshape(planes, width, count).astype(np.int64)
    folded = sum(parts[i] << (8 * i) for i in range(planes))
    steps = (folded >> 1) ^ -(folded & 1)
    for c in range(width):
        for _ in range(entry(spec["order"], c)):
            steps[c] = np.cumsum(steps[c])
    quantum = [entry(spec["quantum"], c) for c in range(width)]
    origin = [entry(spec["origin"], c) for c in range(width)]
    return steps.T * quantum + origin


def entry(value, c):
    return value[c] if isinstance(value, list) else value


columns = arrays(
    float,
    st.tuples(st.integers(1, 40), st.integers(1, 4)),
    elements=st.floats(-1e6, 1e6, allow_subnormal=False),
)


@given(columns, st.floats(1e-9, 10.0))
def test_every_number_comes_back_to_half_a_quantum(x, wanted):
    payload = Payload()
    payload.add(np.ones((3, 2)), 0.5)  # something before it
    quantum = quantum_of(x, wanted)
    spec = payload.add(x, quantum)
    back = unpacked(payload.text(), spec)
    assert np.all(np.abs(back - x) <= 0.5 * quantum * (1 + 1e-6) + 1e-9 * np.abs(x))


def test_origins_are_added_again():
    x = np.array([[1000.25, -7.0], [1000.5, -7.5]])
    payload = Payload()
    spec = payload.add(x, 0.25, np.array([1000.0, -7.0]))
    assert np.array_equal(unpacked(payload.text(), spec), x)


def test_a_column_too_wide_for_integers_gets_a_coarser_quantum():
    x = np.array([[0.0, 0.0], [1e12, 1.0]])
    assert quantum_of(x, 1e-3) == pytest.approx([1e12 / LARGEST, 1e-3])


def test_smooth_columns_are_differenced_more_often_than_rough_ones():
    t = np.linspace(0.0, 10.0, 601)
    rough = np.random.default_rng(1).normal(size=601)
    orders = best_orders(np.rint(1e6 * np.stack([np.sin(t), rough])).astype(np.int64))
    assert orders[0] >= 3
    assert orders[1] == 1


def test_a_smooth_motion_costs_a_byte_a_number_at_most():
    t = np.arange(0.0, 60.0, 1 / 60)
    x = np.stack([np.sin((1 + 0.1 * c) * t + c) for c in range(30)], axis=1)
    payload = Payload()
    payload.add(x, 1e-6)
    assert len(payload.text()) < x.size


def test_the_same_arrays_give_the_same_text():
    def made():
        payload = Payload()
        payload.add(np.linspace(0, 1, 500).reshape(-1, 5), 1e-5)
        payload.add_raw(np.arange(6.0, dtype="<f4"))
        return payload.text()

    assert made() == made()


def test_raw_arrays_begin_where_the_browser_can_read_them():
    payload = Payload()
    payload.add(np.zeros((3, 1)), 1.0)
    spec = payload.add_raw(np.arange(5, dtype="<u4"))
    data = gzip.decompress(base64.b64decode(payload.text()))
    assert spec["at"] % 8 == 0
    found = np.frombuffer(data[spec["at"] : spec["at"] + 20], dtype="<u4")
    assert found.tolist() == [0, 1, 2, 3, 4]


def test_differences_beyond_32_bits_are_refused():
    with pytest.raises(OverflowError):
        byte_planes(np.array([[2**40]], dtype=np.int64))
