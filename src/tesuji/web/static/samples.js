/** Positions to look at on the first page, and a line about each game. */

const rows = (...lines) => lines.map((line) => line.split(""));

export const TAGLINES = {
  hex: "Join your two sides before the other joins theirs. No draws, ever.",
  gomoku: "Five stones in a row, on an old wooden board.",
  onitama: "Ten pieces and five cards that change hands. Nothing is hidden.",
  gofish: "Ask, remember, collect. Two to six players.",
};

export const SAMPLES = {
  hex: {
    board: {
      kind: "hex",
      size: 7,
      last: "d3",
      cells: rows(".......", "....b..", "..wb...", "..bw...", ".wbw...", "..b....", "......."),
    },
  },
  gomoku: {
    board: {
      kind: "gomoku",
      size: 9,
      last: "g6",
      cells: rows(
        ".........",
        ".........",
        "...w.....",
        "..wbb....",
        "...bwb...",
        "..b.w.w..",
        ".........",
        ".........",
        ".........",
      ),
    },
  },
  onitama: {
    turn: 0,
    board: {
      kind: "onitama",
      last: "horse:d5d4",
      cells: rows("bb.bb", "..B..", ".....", "...r.", "rrR.r"),
      cards: [
        {
          name: "Ox",
          word: "ox",
          stamp: 0,
          owner: 0,
          moves: [
            [0, 1],
            [1, 0],
            [0, -1],
          ],
        },
        {
          name: "Crab",
          word: "crab",
          stamp: 0,
          owner: 0,
          moves: [
            [0, 1],
            [-2, 0],
            [2, 0],
          ],
        },
        {
          name: "Boar",
          word: "boar",
          stamp: 1,
          owner: 1,
          moves: [
            [0, 1],
            [-1, 0],
            [1, 0],
          ],
        },
        {
          name: "Elephant",
          word: "elephant",
          stamp: 1,
          owner: 1,
          moves: [
            [-1, 1],
            [1, 1],
            [-1, 0],
            [1, 0],
          ],
        },
        {
          name: "Horse",
          word: "horse",
          stamp: 1,
          owner: null,
          moves: [
            [0, 1],
            [-1, 0],
            [0, -1],
          ],
        },
      ],
    },
  },
  gofish: {
    turn: 0,
    table: {
      seats: [
        { name: "You", kind: "person" },
        { name: "Player 1", kind: "bot", bot: "easy" },
      ],
    },
    board: {
      kind: "gofish",
      viewer: 0,
      deck: 24,
      log: ["Player 1 asks you for 7: go fish."],
      seats: [
        { cards: ["A", "4", "4", "8", "J", "J", "K"], count: 7, books: ["Q"] },
        { cards: null, known: ["7"], count: 6, books: ["2"] },
      ],
    },
  },
};
