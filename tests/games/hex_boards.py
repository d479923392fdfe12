"""Hex boards from the definition, independent of the rules under test."""


def neighbours(size: int) -> list[list[int]]:
    """Each cell's neighbours, from the definition."""
    steps = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)]
    return [
        [
            (row + down) * size + column + right
            for down, right in steps
            if 0 <= row + down < size and 0 <= column + right < size
        ]
        for row in range(size)
        for column in range(size)
    ]
