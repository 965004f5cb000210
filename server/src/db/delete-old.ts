/** Rows of one statement: a backlog of years is no statement of minutes. */
const oldRowsAtOnce = 10_000

/** Repeats a statement that deletes at most `oldRowsAtOnce` rows until there are no more. @returns how many went */
export async function deleteOld(statement: (atOnce: number) => Promise<{ numAffectedRows?: bigint }>): Promise<number> {
  for (let gone = 0; ; ) {
    const count = Number((await statement(oldRowsAtOnce)).numAffectedRows ?? 0)
    gone += count
    if (count < oldRowsAtOnce) return gone
  }
}
