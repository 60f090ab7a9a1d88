"""Things made once: by threads that ask together, by classes that override one another."""

from __future__ import annotations

from dalembert._once import once, once_property


class Plain:
    @once_property
    def names(self) -> list[str]:
        return ["plain"]


class Wider(Plain):
    @once_property
    def names(self) -> list[str]:
        return [*super().names, "wider"]


class Widest(Wider):
    @once_property
    def names(self) -> list[str]:
        return [*super().names, "widest"]


def test_a_class_that_asks_the_one_below_has_its_own_value():
    found = Widest()
    assert found.names == ["plain", "wider", "widest"]
    assert found.names is found.names
    assert Wider().names == ["plain", "wider"]
    assert Plain().names == ["plain"]


def test_the_value_below_is_made_once_too():
    made = []

    class Below:
        @once_property
        def value(self) -> int:
            made.append(1)
            return len(made)

    class Above(Below):
        @once_property
        def value(self) -> int:
            return 10 * super().value

        def both(self) -> tuple[int, int]:
            return self.value, super().value

    one = Above()
    assert one.both() == (10, 1) == one.both()
    assert made == [1]


def test_results_are_kept_by_arguments():
    made = []

    @once
    def double(x: int, y: int = 0) -> list[int]:
        made.append(x)
        return [2 * x + y]

    assert double(1) is double(1)
    assert double(1, y=2) == [4]
    assert made == [1, 1]
