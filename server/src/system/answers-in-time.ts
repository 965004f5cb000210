const databaseMs = 1_000

/** Whether the database has answered within a second. */
export async function answersInTime(query: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), databaseMs)
  })
  const answered = query.then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late]).finally(() => clearTimeout(timer))
}
