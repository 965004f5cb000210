/**
 * The candidate nearest to a misspelt word by edits (insert, delete, change, swap of neighbours), as it is spelt; null when none is near.
 * One edit for every four characters, three at most: a shorter word with one more letter changed is another word (`ema` is not `ma`).
 * Letters' case counts only between candidates that are equally near (`STD` and `std` are two functions).
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const wanted = word.toLowerCase()
  const allowed = Math.min(3, Math.floor(wanted.length / 4))
  let best: string | null = null
  let fewest = allowed
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) > fewest || candidate.length > 64) continue
    const edits = distance(wanted, candidate.toLowerCase())
    if (edits > fewest || edits >= candidate.length) continue
    if (edits === fewest && best !== null && distance(word, candidate) >= distance(word, best)) continue
    fewest = edits
    best = candidate
  }
  return best
}

function distance(a: string, b: string): number {
  let older: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, k) => k)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let k = 1; k <= b.length; k++) {
      const same = a[i - 1] === b[k - 1]
      let edits = Math.min(above[k] + 1, row[k - 1] + 1, above[k - 1] + (same ? 0 : 1))
      if (i > 1 && k > 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1]) edits = Math.min(edits, older[k - 2] + 1)
      row.push(edits)
    }
    older = above
    above = row
  }
  return above[b.length]
}
