/** How many codes go into one question, and how many questions are under way at once. */
export interface Batching {
  readonly codes: number
  readonly atOnce: number
}

/** Asks about many codes a batch at a time, several side by side; rows in the order of the codes. One that fails fails the whole. */
export async function inBatches<T>(
  all: readonly string[],
  { codes, atOnce }: Batching,
  ask: (some: readonly string[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const batches = Array.from({ length: Math.ceil(all.length / codes) }, (_, i) => all.slice(i * codes, (i + 1) * codes))
  const answers: (readonly T[])[] = []
  let next = 0
  const one = async () => {
    while (next < batches.length) {
      const place = next++
      answers[place] = await ask(batches[place]!)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, batches.length) }, one))
  } finally {
    next = batches.length
  }
  return answers.flat()
}
