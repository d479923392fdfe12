/** Steps with the arrow keys between places anywhere on the screen. */

const ASIDE = 2.5; // how much worse a unit to the side is than one ahead

/**
 * The nearest place in a direction: within 45 degrees of it, else anywhere on that side.
 * @param {Map<string, [number, number]>} places @param {string} name @param {number} right @param {number} down
 * @returns {string|null}
 */
export function neighbour(places, name, right, down) {
  const [x, y] = places.get(name);
  let best = null;
  for (const [other, [ox, oy]] of places) {
    const ahead = (ox - x) * right + (oy - y) * down;
    const aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * right);
    if (ahead < 0.5) continue; // half a unit of the picture
    const rank = [aside <= ahead * 1.01 ? 0 : 1, ahead + ASIDE * aside];
    if (!best || rank[0] < best.rank[0] || (rank[0] === best.rank[0] && rank[1] < best.rank[1] - 0.01)) best = { rank, other };
  }
  return best?.other ?? null;
}
