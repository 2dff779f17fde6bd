/**
 * Takes where labels are wanted, in pixels from the top, and returns where they fit in the same order: as near as
 * possible, at least `space` apart, between `top` and `bottom`. If there are too many they begin at `top`.
 */
export function spreadLabels(
  wanted: readonly number[],
  { space, top, bottom }: { space: number; top: number; bottom: number },
): number[] {
  const order = wanted.map((y, index) => ({ y, index })).sort((a, b) => a.y - b.y);
  let free = top;
  for (const label of order) {
    label.y = Math.max(label.y, free);
    free = label.y + space;
  }
  let limit = bottom;
  for (const label of [...order].reverse()) {
    label.y = Math.min(label.y, limit);
    limit = label.y - space;
  }
  const first = order[0];
  const overflow = first === undefined ? 0 : Math.max(0, top - first.y);
  const placed = [...wanted];
  for (const { y, index } of order) {
    placed[index] = y + overflow;
  }
  return placed;
}
